// SPDX-License-Identifier: MIT
#include "core/formats/torch/torch.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/zip_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Objects that contain themselves, their parent or one child many times, and containers as older Pythons pickled them.
namespace wb::torch {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

// Pieces of a pickle of protocol 2.
std::string text(const std::string& value) { return "X"s + static_cast<char>(value.size()) + "\0\0\0"s + value; }
std::string global(const std::string& module, const std::string& name) { return "c" + module + "\n" + name + "\n"; }
std::string put(int place) { return "q"s + static_cast<char>(place); }
std::string get(int place) { return "h"s + static_cast<char>(place); }
std::string object(int place) { return global("m", "Node") + ")\x81"s + put(place); }

// One float in the storage "0".
std::string tensor() {
    return global("torch._utils", "_rebuild_tensor_v2") + "((" + text("storage") + global("torch", "FloatStorage") + text("0") +
           text("cpu") + "K\1tQK\0K\1\x85K\1\x85\x89"s + global("collections", "OrderedDict") + ")RtR";
}

Model load(const std::string& pickle) {
    const std::string zip = test::makeZip({{.name = "a/data.pkl", .content = "\x80\2"s + pickle + "."},
                                           {.name = "a/data/0", .content = std::string(4, '\0')},
                                           {.name = "a/version", .content = "3\n"}});
    auto model = torch::load(std::make_shared<io::MemorySource>("a.pt", test::toBytes(zip)), {});
    EXPECT_TRUE(model) << model.error().message();
    return model ? std::move(*model) : Model();
}

std::vector<std::string> names(const Model& model) {
    std::vector<std::string> names;
    for (const TensorInfo& tensor : model.tensors) names.push_back(tensor.name);
    return names;
}

bool hasProblem(const Model& model, Reason code) {
    return std::ranges::find(model.problems, code, &Problem::code) != model.problems.end();
}

const ValueObject& objectMember(const ValueObject& object, std::string_view key) { return *object.find(key)->object(); }

TEST(TorchWalk, ShowsAParentAsAReference) {
    const std::string child = "}(" + text("_parent") + get(1) + text("w") + tensor() + "ub";
    const Model model =
        load(object(1) + "}(" + text("w") + tensor() + text("left") + object(2) + child + text("right") + object(3) + child + "ub");
    EXPECT_THAT(names(model), ElementsAre("w", "left.w", "right.w"));
    for (const char* side : {"left", "right"}) {
        const Value* parent = objectMember(model.metadata, side).find("_parent");
        ASSERT_NE(parent, nullptr);
        EXPECT_EQ(*parent->string(), "reference to the whole object");
    }
    EXPECT_TRUE(model.problems.empty());
}

// Every object refers to every other one: the number of paths is the factorial of their number.
TEST(TorchWalk, ListsObjectsThatAllKnowEachOtherOnce) {
    constexpr int objects = 24;
    std::string pickle = "}(";
    for (int i = 1; i <= objects; ++i) pickle += text("o" + std::to_string(i)) + object(i);
    pickle += "u" + put(100);
    // The state of each object, given to it after all of them exist.
    std::string states = "(";
    for (int i = 1; i <= objects; ++i) {
        states += get(i) + "}(" + text("w") + tensor();
        for (int other = 1; other <= objects; ++other)
            if (other != i) states += text("to" + std::to_string(other)) + get(other);
        states += "ub";
    }
    const Model model = load("}(" + text("objects") + pickle + text("states") + states + "tu");
    EXPECT_EQ(model.tensors.size(), static_cast<std::size_t>(objects));
    EXPECT_FALSE(hasProblem(model, "torch.too_deep"));
}

// Each list holds the one before twice: 40 of them describe a million million names.
TEST(TorchWalk, EndsWhereListsHoldEachOtherTwice) {
    std::string lists = "]K\1a";
    for (int i = 1; i < 40; ++i) lists = "](" + lists + put(i) + get(i) + "e";
    const Model model = load("}(" + text("lists") + lists + text("after") + tensor() + "u");
    EXPECT_THAT(names(model), ElementsAre("after"));
    EXPECT_TRUE(hasProblem(model, "torch.too_deep"));
}

TEST(TorchWalk, ListsASharedPartUnderEachName) {
    const Model model = load("}(" + text("a") + "}" + put(1) + text("w") + tensor() + "s" + text("b") + get(1) + "u");
    EXPECT_THAT(names(model), ElementsAre("a.w", "b.w"));
}

// Python 2 pickles an OrderedDict as a call with a list of pairs.
TEST(TorchWalk, TakesPairsOfAConstructorForItems) {
    const std::string pairs = "](](" + text("lin.weight") + tensor() + "e](" + text("lin.bias") + tensor() + "ee";
    EXPECT_THAT(names(load(global("collections", "OrderedDict") + pairs + "\x85R")),
                UnorderedElementsAre("lin.weight", "lin.bias"));
    EXPECT_THAT(names(load("}" + text("state_dict") + global("collections", "OrderedDict") + pairs + "\x85Rs")),
                UnorderedElementsAre("state_dict.lin.weight", "state_dict.lin.bias"));
    const std::string factory = global("builtins", "list");
    EXPECT_THAT(names(load(global("collections", "defaultdict") + factory + pairs + "\x86R")),
                UnorderedElementsAre("lin.weight", "lin.bias"));
    // A list that is none of pairs keeps its positions.
    EXPECT_THAT(names(load(global("collections", "OrderedDict") + "](" + tensor() + "e\x85R")), ElementsAre("0"));
}

} // namespace
} // namespace wb::torch
