package main

// permissionsMatter is false where mode bits do not tell who can read a file.
const permissionsMatter = false
