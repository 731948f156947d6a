module simrun

go 1.26
