;; Scores one query against many rows of float32, four lanes at a time in four independent sums, so that the loop waits for memory and
;; not for the adder. tools/assemble-kernel.mjs makes src/simple/vector-kernel-wasm.ts of this file.
;;
;; All addresses are in bytes. A row is `stride` bytes: its dimensions, filled up with zeros to a multiple of 16.
;; `dot` and `squaredDistance` score rows 0 to count - 1. `dotOf` and `squaredDistanceOf` score the rows whose `count` numbers (u32) stand at `indexes`, four side
;; by side, because rows far from each other are waited for longer, and together no longer than one; `count` is a multiple of four.
;; Sums are written out where they are needed: a call costs more than they do.
(module
  (import "store" "memory" (memory 1))

  ;; out[i] = the inner product of query and row
  (func (export "dot")
    (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $i i32) (local $q i32) (local $r i32) (local $end i32) (local $wide i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $end (i32.add (local.get $query) (local.get $stride)))
      (local.set $wide (i32.add (local.get $query) (i32.and (local.get $stride) (i32.const -64))))
      (loop $row
        (local.set $r
          (i32.add (local.get $rows) (i32.mul (local.get $stride) (local.get $i))))
        (local.set $q (local.get $query))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (block $sixteens_done
          (loop $sixteens
            (br_if $sixteens_done (i32.ge_u (local.get $q) (local.get $wide)))
            (local.set $a (f32x4.add (local.get $a)
              (f32x4.mul (v128.load (local.get $q)) (v128.load (local.get $r)))))
            (local.set $b (f32x4.add (local.get $b)
              (f32x4.mul (v128.load offset=16 (local.get $q)) (v128.load offset=16 (local.get $r)))))
            (local.set $c (f32x4.add (local.get $c)
              (f32x4.mul (v128.load offset=32 (local.get $q)) (v128.load offset=32 (local.get $r)))))
            (local.set $d (f32x4.add (local.get $d)
              (f32x4.mul (v128.load offset=48 (local.get $q)) (v128.load offset=48 (local.get $r)))))
            (local.set $q (i32.add (local.get $q) (i32.const 64)))
            (local.set $r (i32.add (local.get $r) (i32.const 64)))
            (br $sixteens)))
        (block $fours_done
          (loop $fours
            (br_if $fours_done (i32.ge_u (local.get $q) (local.get $end)))
            (local.set $a (f32x4.add (local.get $a)
              (f32x4.mul (v128.load (local.get $q)) (v128.load (local.get $r)))))
            (local.set $q (i32.add (local.get $q) (i32.const 16)))
            (local.set $r (i32.add (local.get $r) (i32.const 16)))
            (br $fours)))
        (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (i32.add (local.get $out) (i32.shl (local.get $i) (i32.const 2)))
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $row (i32.lt_u (local.get $i) (local.get $count))))))

  ;; out[i] = the square of the Euclidean distance of query and row
  (func (export "squaredDistance")
    (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $x v128)
    (local $i i32) (local $q i32) (local $r i32) (local $end i32) (local $wide i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $end (i32.add (local.get $query) (local.get $stride)))
      (local.set $wide (i32.add (local.get $query) (i32.and (local.get $stride) (i32.const -64))))
      (loop $row
        (local.set $r
          (i32.add (local.get $rows) (i32.mul (local.get $stride) (local.get $i))))
        (local.set $q (local.get $query))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (block $sixteens_done
          (loop $sixteens
            (br_if $sixteens_done (i32.ge_u (local.get $q) (local.get $wide)))
            (local.set $x (f32x4.sub (v128.load (local.get $q)) (v128.load (local.get $r))))
            (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $x) (local.get $x))))
            (local.set $x (f32x4.sub (v128.load offset=16 (local.get $q)) (v128.load offset=16 (local.get $r))))
            (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $x) (local.get $x))))
            (local.set $x (f32x4.sub (v128.load offset=32 (local.get $q)) (v128.load offset=32 (local.get $r))))
            (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $x) (local.get $x))))
            (local.set $x (f32x4.sub (v128.load offset=48 (local.get $q)) (v128.load offset=48 (local.get $r))))
            (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $x) (local.get $x))))
            (local.set $q (i32.add (local.get $q) (i32.const 64)))
            (local.set $r (i32.add (local.get $r) (i32.const 64)))
            (br $sixteens)))
        (block $fours_done
          (loop $fours
            (br_if $fours_done (i32.ge_u (local.get $q) (local.get $end)))
            (local.set $x (f32x4.sub (v128.load (local.get $q)) (v128.load (local.get $r))))
            (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $x) (local.get $x))))
            (local.set $q (i32.add (local.get $q) (i32.const 16)))
            (local.set $r (i32.add (local.get $r) (i32.const 16)))
            (br $fours)))
        (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (i32.add (local.get $out) (i32.shl (local.get $i) (i32.const 2)))
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $row (i32.lt_u (local.get $i) (local.get $count))))))

  ;; out[i] = the inner product of query and the i-th of the rows that are named
  (func (export "dotOf")
    (param $query i32) (param $rows i32) (param $indexes i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $x v128) (local $y v128)
    (local $e i32) (local $f i32) (local $g i32) (local $h i32) (local $q i32) (local $end i32) (local $last i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $end (i32.add (local.get $query) (local.get $stride)))
      (local.set $last (i32.add (local.get $indexes) (i32.shl (local.get $count) (i32.const 2))))
      (loop $four
        (local.set $q (local.get $query))
        (local.set $e (i32.add (local.get $rows) (i32.mul (local.get $stride) (i32.load (local.get $indexes)))))
        (local.set $f (i32.add (local.get $rows) (i32.mul (local.get $stride) (i32.load offset=4 (local.get $indexes)))))
        (local.set $g (i32.add (local.get $rows) (i32.mul (local.get $stride) (i32.load offset=8 (local.get $indexes)))))
        (local.set $h (i32.add (local.get $rows) (i32.mul (local.get $stride) (i32.load offset=12 (local.get $indexes)))))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (loop $fours
          (local.set $x (v128.load (local.get $q)))
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $x) (v128.load (local.get $e)))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $x) (v128.load (local.get $f)))))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $x) (v128.load (local.get $g)))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $x) (v128.load (local.get $h)))))
          (local.set $q (i32.add (local.get $q) (i32.const 16)))
          (local.set $e (i32.add (local.get $e) (i32.const 16)))
          (local.set $f (i32.add (local.get $f) (i32.const 16)))
          (local.set $g (i32.add (local.get $g) (i32.const 16)))
          (local.set $h (i32.add (local.get $h) (i32.const 16)))
          (br_if $fours (i32.lt_u (local.get $q) (local.get $end))))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (f32.store offset=4 (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $b)) (f32x4.extract_lane 1 (local.get $b)))
            (f32.add (f32x4.extract_lane 2 (local.get $b)) (f32x4.extract_lane 3 (local.get $b)))))
        (f32.store offset=8 (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $c)) (f32x4.extract_lane 1 (local.get $c)))
            (f32.add (f32x4.extract_lane 2 (local.get $c)) (f32x4.extract_lane 3 (local.get $c)))))
        (f32.store offset=12 (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $d)) (f32x4.extract_lane 1 (local.get $d)))
            (f32.add (f32x4.extract_lane 2 (local.get $d)) (f32x4.extract_lane 3 (local.get $d)))))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $indexes (i32.add (local.get $indexes) (i32.const 16)))
        (br_if $four (i32.lt_u (local.get $indexes) (local.get $last))))))

  ;; out[i] = the square of the Euclidean distance of query and the i-th of the rows that are named
  (func (export "squaredDistanceOf")
    (param $query i32) (param $rows i32) (param $indexes i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $x v128) (local $y v128)
    (local $e i32) (local $f i32) (local $g i32) (local $h i32) (local $q i32) (local $end i32) (local $last i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $end (i32.add (local.get $query) (local.get $stride)))
      (local.set $last (i32.add (local.get $indexes) (i32.shl (local.get $count) (i32.const 2))))
      (loop $four
        (local.set $q (local.get $query))
        (local.set $e (i32.add (local.get $rows) (i32.mul (local.get $stride) (i32.load (local.get $indexes)))))
        (local.set $f (i32.add (local.get $rows) (i32.mul (local.get $stride) (i32.load offset=4 (local.get $indexes)))))
        (local.set $g (i32.add (local.get $rows) (i32.mul (local.get $stride) (i32.load offset=8 (local.get $indexes)))))
        (local.set $h (i32.add (local.get $rows) (i32.mul (local.get $stride) (i32.load offset=12 (local.get $indexes)))))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (loop $fours
          (local.set $x (v128.load (local.get $q)))
          (local.set $y (f32x4.sub (local.get $x) (v128.load (local.get $e))))
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $y) (local.get $y))))
          (local.set $y (f32x4.sub (local.get $x) (v128.load (local.get $f))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $y) (local.get $y))))
          (local.set $y (f32x4.sub (local.get $x) (v128.load (local.get $g))))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $y) (local.get $y))))
          (local.set $y (f32x4.sub (local.get $x) (v128.load (local.get $h))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $y) (local.get $y))))
          (local.set $q (i32.add (local.get $q) (i32.const 16)))
          (local.set $e (i32.add (local.get $e) (i32.const 16)))
          (local.set $f (i32.add (local.get $f) (i32.const 16)))
          (local.set $g (i32.add (local.get $g) (i32.const 16)))
          (local.set $h (i32.add (local.get $h) (i32.const 16)))
          (br_if $fours (i32.lt_u (local.get $q) (local.get $end))))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (f32.store offset=4 (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $b)) (f32x4.extract_lane 1 (local.get $b)))
            (f32.add (f32x4.extract_lane 2 (local.get $b)) (f32x4.extract_lane 3 (local.get $b)))))
        (f32.store offset=8 (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $c)) (f32x4.extract_lane 1 (local.get $c)))
            (f32.add (f32x4.extract_lane 2 (local.get $c)) (f32x4.extract_lane 3 (local.get $c)))))
        (f32.store offset=12 (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $d)) (f32x4.extract_lane 1 (local.get $d)))
            (f32.add (f32x4.extract_lane 2 (local.get $d)) (f32x4.extract_lane 3 (local.get $d)))))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $indexes (i32.add (local.get $indexes) (i32.const 16)))
        (br_if $four (i32.lt_u (local.get $indexes) (local.get $last))))))

  ;; out[i] = the inner product, a whole number (i32), of a query of int16 and row i of int8. `stride` is that of the rows, in bytes; both
  ;; are filled up with zeros to a multiple of 16.
  (func (export "codes")
    (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $a v128) (local $b v128) (local $q i32) (local $end i32) (local $last i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
      (loop $row
        (local.set $q (local.get $query))
        (local.set $end (i32.add (local.get $rows) (local.get $stride)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (loop $sixteens
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load (local.get $q)) (v128.load8x8_s (local.get $rows)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $q)) (v128.load8x8_s offset=8 (local.get $rows)))))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $sixteens (i32.lt_u (local.get $rows) (local.get $end))))
        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $row (i32.lt_u (local.get $out) (local.get $last))))))
)
