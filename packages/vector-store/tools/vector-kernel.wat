;; Scores one query against many rows of float32, four lanes at a time in four independent sums, so that the loop waits for memory and
;; not for the adder. tools/assemble-kernel.mjs makes src/simple/vector-kernel-wasm.ts of this file.
;;
;; All addresses are in bytes. A row is `stride` bytes: its dimensions, filled up with zeros to a multiple of 16.
;; `indexes` is 0, and rows 0 to count - 1 are scored, or the address of `count` row numbers (u32).
(module
  (import "store" "memory" (memory 1))

  (func $sum (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result f32)
    (local $s v128)
    (local.set $s (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $s)) (f32x4.extract_lane 1 (local.get $s)))
      (f32.add (f32x4.extract_lane 2 (local.get $s)) (f32x4.extract_lane 3 (local.get $s)))))

  ;; out[i] = the inner product of query and row
  (func (export "dot")
    (param $query i32) (param $rows i32) (param $indexes i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $i i32) (local $q i32) (local $r i32) (local $end i32) (local $wide i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $end (i32.add (local.get $query) (local.get $stride)))
      (local.set $wide (i32.add (local.get $query) (i32.and (local.get $stride) (i32.const -64))))
      (loop $row
        (local.set $r
          (i32.add (local.get $rows)
            (i32.mul (local.get $stride)
              (if (result i32) (local.get $indexes)
                (then (i32.load (i32.add (local.get $indexes) (i32.shl (local.get $i) (i32.const 2)))))
                (else (local.get $i))))))
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
        (f32.store (i32.add (local.get $out) (i32.shl (local.get $i) (i32.const 2)))
          (call $sum (local.get $a) (local.get $b) (local.get $c) (local.get $d)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $row (i32.lt_u (local.get $i) (local.get $count))))))

  ;; out[i] = the square of the Euclidean distance of query and row
  (func (export "squaredDistance")
    (param $query i32) (param $rows i32) (param $indexes i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $x v128)
    (local $i i32) (local $q i32) (local $r i32) (local $end i32) (local $wide i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $end (i32.add (local.get $query) (local.get $stride)))
      (local.set $wide (i32.add (local.get $query) (i32.and (local.get $stride) (i32.const -64))))
      (loop $row
        (local.set $r
          (i32.add (local.get $rows)
            (i32.mul (local.get $stride)
              (if (result i32) (local.get $indexes)
                (then (i32.load (i32.add (local.get $indexes) (i32.shl (local.get $i) (i32.const 2)))))
                (else (local.get $i))))))
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
        (f32.store (i32.add (local.get $out) (i32.shl (local.get $i) (i32.const 2)))
          (call $sum (local.get $a) (local.get $b) (local.get $c) (local.get $d)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $row (i32.lt_u (local.get $i) (local.get $count))))))
)
