// Package explore visits every schedule of a small scenario.
package explore
