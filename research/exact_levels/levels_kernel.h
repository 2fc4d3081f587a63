/* The searches for the ISA and KERNEL defined. */

#include "levels_downwards.h"
#include "levels_outwards.h"
