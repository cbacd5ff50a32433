/* As in the locale `C`. */
#pragma once
#include <sys/cdefs.h>
int isdigit(int letter);
int isupper(int letter);
int islower(int letter);
int isalpha(int letter);
int isalnum(int letter);
int isxdigit(int letter);
int isblank(int letter);
int isspace(int letter);
int isprint(int letter);
int isgraph(int letter);
int ispunct(int letter);
int iscntrl(int letter);
int tolower(int letter);
int toupper(int letter);
