#pragma once
#include <xgen/kernel.h>
#define MODULE_PARM_DESC(name, text)
#define module_param(name, type, rights)
#define module_param_named(name, value, type, rights)
