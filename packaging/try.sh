#!/usr/bin/env bash
# Tries packages where nothing else is: try.sh PACKAGE... Each is unpacked into a root of its own, with the system's C
# library and nothing of the source tree, and its program is run in there.
set -euo pipefail

scratch=$(mktemp -d)
demo=
end() {
    if [[ -n $demo ]]; then kill "$demo" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap end EXIT
fail() {
    printf 'try: %s\n' "$@" >&2
    exit 1
}

# inside ROOT COMMAND...: the root is /, in namespaces that end with the command. /proc tells a program where it lies. The
# command takes the place of the shell, which must be one of its own: whoever ends that ends the command.
inside() {
    local root=$1
    shift
    exec unshare --map-root-user --mount -- sh -c '
        root=$1; shift
        mount --rbind /proc "$root/proc" && cd "$root" && exec chroot "$root" "$@"' sh "$root" "$@"
}

# expect CODE TEXT ROOT COMMAND...
expect() {
    local code=$1 text=$2 root=$3 got=0
    shift 3
    (inside "$root" "$@") >"$scratch/said" 2>&1 || got=$?
    if [[ $got != "$code" ]] || ! grep -qF -- "$text" "$scratch/said"; then
        cat "$scratch/said" >&2
        fail "exit $got, wanted $code and \`$text\`: $*"
    fi
    printf '    exit %d  %s\n' "$got" "${*/#*\/bin\//}"
}

try() {
    local package=$1 root=$scratch/root prefix program library file name
    rm -rf "$root"
    mkdir -p "$root/proc" "$root/tmp"
    case $package in
        *.deb)
            dpkg-deb -x "$package" "$root"
            prefix=/usr
            ;;
        *)
            # Under another name than it was packed with.
            mkdir -p "$root/opt/moved here"
            tar -xzf "$package" -C "$root/opt/moved here" --strip-components=1
            prefix="/opt/moved here"
            ;;
    esac
    program=$prefix/bin/coact
    for file in "$root$program" "$root$prefix"/lib/coact/*; do ldd "$file"; done |
        awk '$2 == "=>" && $3 ~ "^/" { print $3 } $1 ~ "^/" { print $1 }' | sort -u |
        while read -r name; do install -D "$(realpath "$name")" "$root$name"; done
    printf '%s in %s\n' "$(basename "$package")" "$prefix"

    expect 0 "coact " "$root" "$program" --version
    expect 0 "$prefix/share/coact/skills/doors/push.json" "$root" "$program" list
    expect 0 "no problems" "$root" "$program" check "$prefix/share/coact/skills/doors/push.json"
    expect 0 "success after" "$root" "$program" run "$prefix/share/coact/examples/first/walk-and-wave.json"
    expect 0 "success after" "$root" "$program" run "$prefix/share/coact/skills/doors/push.json" \
        --world push-door-lever --seed 1
    expect 0 "no problems" "$root" "$program" trial "$prefix/share/coact/suites/smoke.json" --check
    expect 0 "wrote /tmp/mine.json" "$root" "$program" new /tmp/mine.json
    expect 0 "success after" "$root" "$program" run /tmp/mine.json

    local said=$scratch/demo address page i
    inside "$root" "$program" demo --port 0 /tmp/mine.json >"$said" 2>&1 &
    demo=$!
    for ((i = 0; i < 300; i++)); do
        if address=$(grep -o 'http://[0-9.:]*' "$said"); then break; fi
        kill -0 "$demo" 2>/dev/null || break
        sleep 0.1
    done
    [[ -n ${address:-} ]] || { cat "$said" >&2 && fail "the demo says no address"; }
    page=$(python3 -c 'import sys, urllib.request as web; sys.stdout.write(web.urlopen(sys.argv[1], timeout=30).read().decode())' "$address/")
    grep -q '<title>Coact' <<<"$page" || fail "the demo serves no page at $address"
    if grep -q 'is not built' <<<"$page"; then fail "the page is not in the program: build it before the program"; fi
    kill "$demo"
    wait "$demo" || fail "the demo ended badly (exit $?)"
    demo=
    printf '    %s\n' "coact demo serves its page, and ends when it is told to"

    # The library may be elsewhere, and what needs none runs without it.
    library=$(basename "$root$prefix"/lib/coact/*)
    mkdir -p "$root/elsewhere"
    mv "$root$prefix/lib/coact/$library" "$root/elsewhere/"
    expect 2 "COACT_MUJOCO" "$root" "$program" run "$prefix/share/coact/examples/world/nearest-ball.json" --world table-balls
    expect 0 "success after" "$root" "$program" run "$prefix/share/coact/examples/first/walk-and-wave.json"
    COACT_MUJOCO=/elsewhere expect 0 "success after" "$root" "$program" run \
        "$prefix/share/coact/examples/world/nearest-ball.json" --world table-balls
}

for package in "$@"; do try "$package"; done
