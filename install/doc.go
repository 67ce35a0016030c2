// Package install puts AMP packs into agents and takes them out again (AMP v0.4
// Part 7, decisions R-q, R-cap, R-slug).
//
// An install has three parts: the pack's folder .amp/<slug>, its metadata
// .amp/.meta/<slug>.json and a managed block in each agent's rules file. They
// change together: everything is staged and synced in .amp/.tx, then a journal
// is written there, which is the moment of the decision, then the journal is
// carried out. A run that was killed before the journal left no trace that
// counts; after it, the next command carries the journal out to the end. Any
// failure undoes what was done.
//
// Folders that amp made go when they are empty, those that were there before stay:
// the metadata lists the ones above rules files, and .amp/.made the ones in .amp.
//
// Nothing outside these three parts is ever changed or removed: every path is
// built from a validated slug and the fixed list of host files, never from what
// a pack, a metadata file or a journal says, and links are refused on the way.
//
// The package never reads what primitives mean.
package install
