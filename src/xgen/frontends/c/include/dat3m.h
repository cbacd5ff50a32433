/* What programs that are written for Dartagnan use; its functions are known by their names. */
#pragma once
#define await_while(condition) while (condition)
