#!/bin/sh
# Makes the certificates of the loopback hubs anew: an authority, and servers that are good, of another name, and out of date.
set -e
cd "$(dirname "$0")"
openssl req -x509 -newkey rsa:2048 -nodes -days 36500 -subj "/CN=Weighbridge test authority" -keyout authority.key -out authority.pem \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
certificate() { # NAME SAN FROM UNTIL
    openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
    printf 'basicConstraints=CA:FALSE\nsubjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$2" > "$1.cnf"
    mkdir -p demo && : > demo/index.txt && echo 01 > demo/serial
    printf '[ca]\ndefault_ca=d\n[d]\ndatabase=demo/index.txt\nserial=demo/serial\nnew_certs_dir=demo\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n' > ca.cnf
    openssl ca -batch -config ca.cnf -cert authority.pem -keyfile authority.key -startdate "$3" -enddate "$4" -extfile "$1.cnf" -notext \
        -in "$1.csr" -out "$1.pem"
    rm -r "$1.csr" "$1.cnf" ca.cnf demo
}
certificate good IP:127.0.0.1 20260101000000Z 21250101000000Z
certificate other-name DNS:elsewhere.example 20260101000000Z 21250101000000Z
certificate expired IP:127.0.0.1 20200101000000Z 20210101000000Z
rm authority.key
