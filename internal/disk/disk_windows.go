package disk

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// Of returns the space on the file system of a folder.
func Of(folder string) (s Space, err error) {
	name, err := windows.UTF16PtrFromString(folder)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(name, &s.Free, &s.Size, nil)
	}
	if err != nil {
		return Space{}, fmt.Errorf("reading the space on the disk of %s: %w", folder, err)
	}
	return s, nil
}
