#!/bin/sh
# run.sh PROGRAM: runs it on a Secret Service of its own, with an empty keyring that no password guards.
set -e
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
HOME=$home XDG_DATA_HOME=$home/data XDG_RUNTIME_DIR=$home XDG_CURRENT_DESKTOP=GNOME dbus-run-session -- sh -c '
    printf "\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null
    exec "$1"' sh "$1"
