"""Builds and runs pinocchio_ik.cpp against the Pinocchio of PyPI, in C++ so that no Python is measured.

Arguments: folder for what is installed and built, then those of the program. Prints what the program prints.
"""

import os
import pathlib
import subprocess
import sys
import venv

PACKAGES = ["pin==4.1.0", "cmeel-eigen", "cmeel-boost", "cmeel-urdfdom-headers"]
# As Pinocchio's CMake files have them: without, its list of joint types is too long for Boost.
DEFINES = ["BOOST_MPL_LIMIT_LIST_SIZE=30", "BOOST_MPL_LIMIT_VECTOR_SIZE=30", "BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]
HERE = pathlib.Path(__file__).resolve().parent

folder = pathlib.Path(sys.argv[1]).resolve()
program = folder / "ik"
if not program.exists():
    python = folder / "venv/bin/python"
    if not python.exists():
        venv.create(folder / "venv", with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True, stdout=sys.stderr)
    (prefix,) = (folder / "venv/lib").glob("python*/site-packages/cmeel.prefix")
    include = prefix / "include"
    folders = [include, include / "eigen3", include / "urdfdom", include / "urdfdom_headers"]
    command = ["g++", "-std=c++17", "-O3", "-DNDEBUG", "-w", *[f"-I{folder}" for folder in folders]]
    command += [f"-D{define}" for define in DEFINES]
    command += [HERE / "pinocchio_ik.cpp", "-o", program, f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}"]
    subprocess.run([*command, "-lpinocchio_default", "-lpinocchio_parsers", "-lurdfdom_model"], check=True)
sys.stdout.flush()
os.execv(program, [str(program), *sys.argv[2:]])
