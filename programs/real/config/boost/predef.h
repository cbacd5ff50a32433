/* What xenium asks of boost: which machine it is compiled for, and it does without knowing. */
#pragma once
#define BOOST_ARCH_X86 0
#define BOOST_ARCH_ARM 0
