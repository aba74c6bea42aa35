# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests here: arrays made with the shell alone.

# make_npy FILE DESCR SHAPE [ORDER]: the header only; the items are appended to the file.
make_npy()
{
    header="{'descr': '$2', 'fortran_order': ${4:-False}, 'shape': ($3), }"
    printf '\223NUMPY\001\000\166\000%-117s\n' "$header" >"$1"
}

# make_zeros FILE DESCR SHAPE BYTES [ORDER]
make_zeros()
{
    make_npy "$1" "$2" "$3" "${5:-False}"
    head -c "$4" /dev/zero >>"$1"
}
