// Reads tlog-proofs and requests to witnesses, and verifies them with the packages of Go's checksum database. The file has
// a verifier key on its first line, then texts, each after a line with its kind, its record in base64 and its length.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"tlogcheck/note"
	"tlogcheck/tlog"
)

func must(err error, doing string) {
	if err != nil {
		fmt.Println(doing+":", err)
		os.Exit(1)
	}
}

func hash(text string) tlog.Hash {
	hash, err := tlog.ParseHash(text)
	must(err, "hash "+text)
	return hash
}

func number(line, prefix string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(line, prefix), 10, 64)
	must(err, "number in "+line)
	return n
}

func main() {
	in := bufio.NewReader(os.Stdin)
	vkey, err := in.ReadString('\n')
	must(err, "reading the key")
	verifier, err := note.NewVerifier(strings.TrimSpace(vkey))
	must(err, "the key")
	proofs, requests := 0, 0
	roots := map[int64]tlog.Hash{}
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			break
		}
		must(err, "reading")
		words := strings.Fields(line)
		length, err := strconv.Atoi(words[2])
		must(err, "length")
		text := make([]byte, length)
		_, err = io.ReadFull(in, text)
		must(err, "reading a text")
		parts := strings.SplitN(string(text), "\n\n", 2)
		opened, err := note.Open([]byte(parts[1]), note.VerifierList(verifier))
		must(err, "opening the note")
		lines := strings.Split(opened.Text, "\n")
		if lines[0] != verifier.Name() {
			must(fmt.Errorf("%q", lines[0]), "origin")
		}
		size, root := number(lines[1], ""), hash(lines[2])
		roots[size] = root
		head := strings.Split(parts[0], "\n")
		var path []tlog.Hash
		switch words[0] {
		case "proof":
			index := number(head[1], "index ")
			for _, line := range head[2:] {
				path = append(path, hash(line))
			}
			record, err := base64.StdEncoding.DecodeString(words[1])
			must(err, "record")
			must(tlog.CheckRecord(path, size, root, index, tlog.RecordHash(record)), "inclusion")
			proofs++
		case "request":
			old := number(head[0], "old ")
			for _, line := range head[1:] {
				path = append(path, hash(line))
			}
			must(tlog.CheckTree(path, size, root, old, roots[old]), "consistency")
			requests++
		}
	}
	fmt.Println(proofs, requests)
}
