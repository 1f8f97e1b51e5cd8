#include "copy.h"

void copy(char *to, const char *from, int size)
{
	int i;

	for (i = 0; i <= size; i++)
		to[i] = from[i];
}
