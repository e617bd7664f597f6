// SPDX-License-Identifier: MIT
#include "app/net/qt_transport.h"
#include "tests/servers/proxy_server.h"
#include "tests/unit/download/loopback.h"

#include <QSslSocket>

#include <fstream>

// The ways to a hub: TLS with and without a company's authority, proxies, IPv6, and answers that are no HTTP
// that anybody should accept.
namespace wb::test {
namespace {

class NetworkTest : public LoopbackTest {
protected:
    NetworkTest() {
        ServedRepository tiny;
        tiny.id = "acme/tiny";
        tiny.files = {textFile("config.json", "{\"model_type\":\"llama\"}\n"), formulaFile("model.bin", 300'001, 5)};
        servers.add(tiny);
    }

    static std::string data(const std::string& name) { return WB_TEST_DATA "/tls/" + name; }
    std::string to() const { return (folder.path() / "to").string(); }
    bool isWhole(const std::string& name, std::uint64_t bytes) const {
        std::error_code error;
        return std::filesystem::file_size(folder.path() / "to" / name, error) == bytes && !error;
    }
    Ran fetchConfig(std::vector<std::string> options, const std::string& environment = {}) const {
        std::vector<std::string> words = {"download", "hf:acme/tiny", "config.json", "--to", to(), "--retries", "0"};
        std::ranges::move(options, std::back_inserter(words));
        return wb(words, environment);
    }
    // What GET of the listener's root gives, whatever it is.
    std::expected<net::Answer, net::Failure> get(const std::string& listener, const std::string& target) const {
        static const auto transport = makeQtTransport({}).value();
        const net::Clock clock;
        net::Request request;
        request.url = net::parseUrl(servers.url(listener) + target).value();
        request.headers = {{"Accept-Encoding", "identity"}};
        const auto session = transport->open();
        return net::fetch(*session, clock, request, {}, {});
    }
    void answerRaw(const std::string& head, const std::string& body, bool closes = false) {
        servers.fault({.listener = "HUB",
                       .part = "/raw",
                       .skip = 0,
                       .times = 2, // QtNetwork may have to ask again
                       .onlyRanged = false,
                       .change = [head, body, closes](const HttpRequest&, HttpResponse& response) {
                           response = {.status = 200, .headers = {}, .text = body, .hasLength = !closes, .rawHead = head};
                       }});
    }
};

TEST_F(NetworkTest, TlsWithTheCompanysAuthority) {
    ASSERT_TRUE(servers.addTls("TLS", "HUB", "good"));
    const std::string hub = "HF_ENDPOINT=" + servers.url("TLS");
    const Ran refused = fetchConfig({}, hub);
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("is not trusted"), std::string::npos) << refused.err;
    const Ran fetched = fetchConfig({"--ca", data("authority.pem")}, hub);
    EXPECT_EQ(fetched.status, 0) << fetched.err;
    EXPECT_TRUE(isWhole("config.json", 23));
}

TEST_F(NetworkTest, TlsOfAnotherNameOrOutOfDateIsRefusedWhateverIsTrusted) {
    for (const char* certificate : {"other-name", "expired"}) {
        ASSERT_TRUE(servers.addTls(certificate, "HUB", certificate));
        const Ran refused = fetchConfig({"--ca", data("authority.pem")}, "HF_ENDPOINT=" + servers.url(certificate));
        EXPECT_EQ(refused.status, 1) << certificate;
        EXPECT_NE(refused.err.find("is not trusted"), std::string::npos) << refused.err;
    }
    EXPECT_FALSE(std::filesystem::exists(to()));
}

TEST_F(NetworkTest, OldTlsIsRefused) {
    QT_WARNING_PUSH
    QT_WARNING_DISABLE_DEPRECATED
    ASSERT_TRUE(servers.addTls("OLD", "HUB", "good", QSsl::TlsV1_0));
    QT_WARNING_POP
    EXPECT_EQ(fetchConfig({"--ca", data("authority.pem")}, "HF_ENDPOINT=" + servers.url("OLD")).status, 1);
}

TEST_F(NetworkTest, ASecureHubDoesNotSendToPlainAddresses) {
    ASSERT_TRUE(servers.addTls("TLS", "HUB", "good"));
    const Ran refused = wb({"download", "hf:acme/tiny", "model.bin", "--to", to(), "--retries", "0", "--ca", data("authority.pem")},
                           "HF_ENDPOINT=" + servers.url("TLS"));
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("an address that is not allowed"), std::string::npos) << refused.err;
    EXPECT_EQ(servers.servedBytes("CDN"), 0u);
}

TEST_F(NetworkTest, AFileWithoutCertificatesIsRefused) {
    const Ran refused = fetchConfig({"--ca", data("good.key")});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("contains no certificate"), std::string::npos) << refused.err;
}

TEST_F(NetworkTest, ThroughAnHttpProxy) {
    ProxyServer proxy("me:secret");
    const Ran refused = fetchConfig({"--proxy", "http://" + proxy.authority()});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("proxy"), std::string::npos) << refused.err;
    const Ran fetched = fetchConfig({"--proxy", "http://me:secret@" + proxy.authority()});
    EXPECT_EQ(fetched.status, 0) << fetched.err;
    EXPECT_TRUE(isWhole("config.json", 23));
    EXPECT_FALSE(proxy.asked().empty());
    EXPECT_EQ((refused.err + fetched.err).find("secret"), std::string::npos);
}

// The token travels inside TLS, which the proxy passes on blindly.
TEST_F(NetworkTest, AProxySeesNoToken) {
    ASSERT_TRUE(servers.addTls("TLS", "HUB", "good"));
    servers.change("acme/tiny", [](ServedRepository& repository) { repository.gated = "auto"; });
    ProxyServer proxy;
    const Ran fetched = fetchConfig({"--proxy", "http://" + proxy.authority(), "--ca", data("authority.pem"), "--send-token"},
                                    "HF_TOKEN=" + std::string(Servers::token) + " HF_ENDPOINT=" + servers.url("TLS"));
    EXPECT_EQ(fetched.status, 0) << fetched.err;
    ASSERT_FALSE(proxy.asked().empty());
    for (const std::string& line : proxy.asked()) EXPECT_TRUE(line.starts_with("CONNECT ")) << line;
    EXPECT_EQ(proxy.seen().find(Servers::token), std::string::npos);
}

TEST_F(NetworkTest, ThroughSocks) {
    ProxyServer proxy;
    const Ran fetched = wb({"download", "hf:acme/tiny", "--to", to(), "--proxy", "socks5://" + proxy.authority()});
    EXPECT_EQ(fetched.status, 0) << fetched.err;
    EXPECT_TRUE(isWhole("config.json", 23) && isWhole("model.bin", 300'001));
    for (const std::string& line : proxy.asked()) EXPECT_TRUE(line.starts_with("SOCKS5 ")) << line;
    EXPECT_FALSE(proxy.asked().empty());
}

TEST_F(NetworkTest, AProxyThatIsDownIsNamed) {
    std::string gone;
    {
        const ProxyServer proxy;
        gone = proxy.authority();
    }
    const Ran refused = fetchConfig({"--proxy", "http://" + gone});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("proxy"), std::string::npos) << refused.err;
}

TEST_F(NetworkTest, TheSystemsProxyAndItsExceptions) {
    const ProxyServer proxy;
    const std::string variables = "http_proxy=http://" + proxy.authority() + " all_proxy=http://" + proxy.authority();
    EXPECT_EQ(fetchConfig({}, variables + " NO_PROXY=127.0.0.1").status, 0);
    EXPECT_TRUE(proxy.asked().empty()) << "127.0.0.1 is excepted";
}

TEST_F(NetworkTest, OverIpv6) {
    if (!servers.addListener("SIX", "HUB", "::1")) return; // this machine has none
    const Ran fetched = wb({"download", "hf:acme/tiny", "--to", to()}, "HF_ENDPOINT=" + servers.url("SIX"));
    EXPECT_EQ(fetched.status, 0) << fetched.err;
    EXPECT_TRUE(isWhole("config.json", 23) && isWhole("model.bin", 300'001));
}

// ---- C18

TEST_F(NetworkTest, TwoLengthsAreRefused) {
    answerRaw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\n", "hello");
    const auto answer = get("HUB", "/raw");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, net::FailureKind::Protocol);
}

TEST_F(NetworkTest, ALengthBesideChunksIsRefused) {
    answerRaw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n");
    const auto answer = get("HUB", "/raw");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, net::FailureKind::Protocol);
}

TEST_F(NetworkTest, AHeadThatIsTooLargeIsRefused) {
    answerRaw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Large: " + std::string(65 << 10, 'x') + "\r\n\r\n", "hello");
    EXPECT_FALSE(get("HUB", "/raw"));
}

TEST_F(NetworkTest, BareLineFeedsEndInAnAnswerOrASentence) {
    answerRaw("HTTP/1.1 200 OK\nContent-Length: 5\n\n", "hello");
    const auto answer = get("HUB", "/raw");
    EXPECT_TRUE(!answer || answer->body == "hello");
}

TEST_F(NetworkTest, InterimAnswersArePassedOver) {
    const std::string hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
    for (const std::string& before : {hints, hints + "HTTP/1.1 102 Processing\r\n\r\n" + hints, hints}) {
        answerRaw(before + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "hello");
        const auto answer = get("HUB", "/raw");
        ASSERT_TRUE(answer) << answer.error().detail;
        EXPECT_EQ(answer->head.status, 200);
        EXPECT_EQ(answer->body, "hello");
    }
}

// The whole way: lists, redirects and ranges of data, all after a 103.
TEST_F(NetworkTest, ADownloadPassesOverInterimAnswers) {
    const auto hint = [](const HttpRequest&, HttpResponse& response) {
        response.interim = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
    };
    for (const char* listener : {"HUB", "CDN"})
        servers.fault({.listener = listener, .part = {}, .skip = 0, .times = 1'000'000, .onlyRanged = false, .change = hint});
    const Ran fetched = wb({"download", "hf:acme/tiny", "--to", to(), "--retries", "0"});
    EXPECT_EQ(fetched.status, 0) << fetched.err;
    EXPECT_TRUE(isWhole("config.json", 23));
    EXPECT_TRUE(isWhole("model.bin", 300'001));
}

TEST_F(NetworkTest, AnOldServerWithoutLengthIsGoodForSmallFiles) {
    answerRaw("HTTP/1.0 200 OK\r\n\r\n", "hello", true);
    const auto answer = get("HUB", "/raw");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body, "hello");
}

} // namespace
} // namespace wb::test
