#!/usr/bin/env bash
# Makes the packages of a built program: make.sh PROGRAM MUJOCO_FOLDER OUT. `./dev package` calls it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=$1 mujoco=$2 out=$3
limit_mb=25

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
machine=$(uname -m)
name=coact-$version-linux-$machine
folder=$out/$name
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

rm -rf "$out"
mkdir -p "$folder/bin" "$folder/lib/coact" "$folder/share/coact" "$folder/share/doc/coact" "$folder/share/man/man1" \
    "$folder/share/bash-completion/completions" "$folder/share/zsh/vendor-completions" \
    "$folder/share/fish/vendor_completions.d"

strip -o "$folder/bin/coact" "$program"
chmod 755 "$folder/bin/coact"
if readelf -d "$folder/bin/coact" | grep -E 'mujoco|R(UN)?PATH'; then
    echo "the program is linked against MuJoCo or has a path in it: see crates/sim/src/physics/library.rs" >&2
    exit 1
fi
cp -L "$mujoco"/libmujoco.so.*.*.* "$folder/lib/coact/"
chmod 644 "$folder"/lib/coact/*

# Worlds, robots and templates are in the program: these are to be read and copied.
cp -R capabilities skills suites terrains examples worlds robots templates "$folder/share/coact/"
cp LICENSE-MIT LICENSE-APACHE docs/install.md CHANGELOG.md "$folder/share/doc/coact/"
cargo xtask sbom >"$folder/share/doc/coact/sbom.cdx.json"
cargo xtask notices >"$folder/share/doc/coact/THIRD-PARTY"
cat >"$folder/share/doc/coact/copyright" <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: coact

Files: *
Copyright: the Coact contributors
License: MIT or Apache-2.0
 LICENSE-MIT and LICENSE-APACHE have the texts; THIRD-PARTY has those of what is in the program and not ours.
END
"$folder/bin/coact" completions bash >"$folder/share/bash-completion/completions/coact"
"$folder/bin/coact" completions zsh >"$folder/share/zsh/vendor-completions/_coact"
"$folder/bin/coact" completions fish >"$folder/share/fish/vendor_completions.d/coact.fish"
"$folder/bin/coact" man "$folder/share/man/man1" >/dev/null
find "$folder" -type d -exec chmod 755 {} +
find "$folder/share" -type f -exec chmod 644 {} +

tar -C "$out" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$name" |
    gzip -9n >"$out/$name.tar.gz"
made=("$out/$name.tar.gz")

if command -v dpkg-deb >/dev/null; then
    root=$out/deb
    mkdir -p "$root/DEBIAN"
    cp -R "$folder" "$root/usr"
    gzip -9n "$root"/usr/share/man/man1/*.1 "$root/usr/share/doc/coact/CHANGELOG.md"
    architecture=$(dpkg --print-architecture)
    # The newest version of a symbol of the C library that program or library ask for.
    libc=$(readelf -V --wide "$root/usr/bin/coact" "$root"/usr/lib/coact/* | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' |
        sort -Vu | tail -n 1)
    cat >"$root/DEBIAN/control" <<END
Package: coact
Version: $version
Architecture: $architecture
Maintainer: The Coact contributors <coact@coact.invalid>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: libc6 (>= $libc), libgcc-s1
Recommends: xdg-utils
Section: science
Priority: optional
Description: behavior trees that a person and a humanoid robot act on together
 Runs, checks, previews and measures behaviors, in simulation with physics too, and serves the page on which people
 write, watch and repair them while a robot runs them.
END
    deb=$out/coact_${version}_$architecture.deb
    dpkg-deb --root-owner-group -Zxz -z9 --build "$root" "$deb" >/dev/null
    rm -rf "$root"
    made+=("$deb")
else
    echo "no dpkg-deb: no .deb is made" >&2
fi

for file in "${made[@]}"; do
    bytes=$(stat -c %s "$file")
    printf '%s  %d.%d MB\n' "$file" $((bytes / 1000000)) $((bytes % 1000000 / 100000))
    if ((bytes > limit_mb * 1000000)); then
        echo "$file is larger than $limit_mb MB" >&2
        exit 1
    fi
done
