package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

// Environment variables of Part 8. An empty one counts as not set.
const (
	envPublic  = "AMP_PUBLIC_KEY"
	envPrivate = "AMP_PRIVATE_KEY"
)

// homeDir returns the user's home folder, which must be an absolute path to a
// folder that exists.
func homeDir() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("the home folder is not known, set HOME")
	}
	if !filepath.IsAbs(home) {
		return "", fmt.Errorf("the home folder %s is not an absolute path", fsx.Printable(home))
	}
	fi, err := os.Stat(home)
	if err != nil || !fi.IsDir() {
		return "", fmt.Errorf("the home folder %s is not a folder", fsx.Printable(home))
	}
	return home, nil
}

func trustStore() (sign.TrustStore, error) {
	home, err := homeDir()
	if err != nil {
		return sign.TrustStore{}, err
	}
	return sign.NewTrustStore(filepath.Join(home, ".amp")), nil
}

// keySource says where a key came from.
type keySource string

const (
	fromEnv     keySource = "environment"
	fromFlag    keySource = "flag"
	fromTrust   keySource = "trusted"
	fromPack    keySource = "pack"
	fromPin     keySource = "pinned"
	fromNowhere keySource = ""
)

// outsideKey returns the key given by AMP_PUBLIC_KEY or, when that is not set,
// by the flag, whose value is a file or the PEM text itself.
func outsideKey(flag string) (sign.PublicKey, keySource, error) {
	if text := os.Getenv(envPublic); text != "" {
		key, err := sign.ParsePublic([]byte(text))
		if err != nil {
			return key, fromEnv, fmt.Errorf("%s: %w", envPublic, err)
		}
		return key, fromEnv, nil
	}
	if flag == "" {
		return sign.PublicKey{}, fromNowhere, nil
	}
	key, err := publicKeyArg(flag)
	return key, fromFlag, err
}

// publicKeyArg reads a public key from a file name or PEM text.
func publicKeyArg(arg string) (sign.PublicKey, error) {
	if _, err := os.Stat(arg); err != nil && strings.Contains(arg, "BEGIN") {
		key, err := sign.ParsePublic([]byte(arg))
		if err != nil {
			return key, fmt.Errorf("the given public key: %w", err)
		}
		return key, nil
	}
	text, err := sign.ReadKeyFile(arg)
	if err != nil {
		return sign.PublicKey{}, err
	}
	key, err := sign.ParsePublic(text)
	if err != nil {
		return key, fmt.Errorf("%s: %w", fsx.Printable(arg), err)
	}
	return key, nil
}

// defaultKey is where keygen writes and sign reads unless told otherwise.
func defaultKey() (string, error) {
	home, err := homeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".amp", "keys", "signing.key"), nil
}

// privateKey returns the signing key: AMP_PRIVATE_KEY, the flag, the default.
// The warning is about a key file that others can read.
func privateKey(flag string) (key sign.PrivateKey, warning string, err error) {
	if text := os.Getenv(envPrivate); text != "" {
		key, err := sign.ParsePrivate([]byte(text))
		if err != nil {
			return key, "", fmt.Errorf("%s: %w", envPrivate, err)
		}
		return key, "", nil
	}
	name := flag
	if name == "" {
		if name, err = defaultKey(); err != nil {
			return key, "", err
		}
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return key, "", fmt.Errorf("there is no private key at %s, run amp keygen or set %s", fsx.Printable(name), envPrivate)
		}
	}
	text, err := sign.ReadKeyFile(name)
	if err != nil {
		return key, "", err
	}
	key, err = sign.ParsePrivate(text)
	if err != nil {
		return key, "", fmt.Errorf("%s: %w", fsx.Printable(name), err)
	}
	if fi, err := os.Stat(name); err == nil && fi.Mode().Perm()&0o077 != 0 && permissionsMatter {
		warning = fmt.Sprintf("the private key %s can be read by others (mode %04o), run chmod 600 on it", fsx.Printable(name), fi.Mode().Perm())
	}
	return key, warning, nil
}
