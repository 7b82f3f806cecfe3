package vendor

import "strings"

// PadCode pads a parcel code with zeros on its left side.
func PadCode(code string, width int) string {
	for len(code) < width {
		code = "0" + code
	}
	return code
}

// StripCode removes the zeros on the left side of a parcel code.
func StripCode(code string) string {
	stripped := strings.TrimLeft(code, "0")
	if stripped == "" {
		return "0"
	}
	return stripped
}
