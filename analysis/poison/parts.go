package poison

// Part reports whether the unit may be a part of an assembly: it names something
// sensitive, joins or runs things by name, or is one piece of a series. A caller
// that cannot put such a unit together with the others has not judged it fully.
func (f *UnitFacts) Part() bool { return f != nil && f.roles != 0 }
