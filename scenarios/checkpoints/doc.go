// Package checkpoints keeps complete snapshots as files, so that a later process can
// begin with them (sim.Config.From).
//
// A checkpoint is a folder, chk-<id>, with a few segment files that hold what every
// task recorded, and a file _metadata that says which bytes are whose, with a checksum
// over each range, each segment and itself; docs/checkpoints.md describes every field.
// It is written into a folder with another name, every file is synced, the folder is
// renamed and the parent synced: whatever happens to the process or the machine, a
// folder with the name chk-<id> is whole, or was damaged later. Reading verifies all.
package checkpoints
