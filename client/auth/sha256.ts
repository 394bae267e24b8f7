// SHA-256 (FIPS 180-4) for pages without a secure origin, where `crypto.subtle` is missing: an application opened from
// another device of the network by plain HTTP.

const WORDS_PER_BLOCK = 16
const ROUNDS = 64

/** The digest's 32 bytes. */
export function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
  const padded = pad(message)
  for (let offset = 0; offset < padded.byteLength; offset += WORDS_PER_BLOCK * 4)
    compress(state, padded, offset)
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word)
  return new Uint8Array(digest.buffer)
}

const PRIMES = firstPrimes(ROUNDS)
const CONSTANTS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate++)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  return primes
}

// The first 32 bits of the fractional part, as the standard defines its constants.
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32)
}

function pad(message: Uint8Array): DataView {
  const length = Math.ceil((message.length + 9) / 64) * 64
  const bytes = new Uint8Array(length)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(length - 4, (message.length << 3) >>> 0)
  return view
}

function compress(state: Uint32Array, block: DataView, offset: number): void {
  const schedule = expand(block, offset)
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let round = 0; round < ROUNDS; round++) {
    const choice = (e & f) ^ (~e & g)
    const first =
      h +
      (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
      choice +
      (CONSTANTS[round] ?? 0) +
      (schedule[round] ?? 0)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
    state[index] = (state[index] ?? 0) + word
}

function expand(block: DataView, offset: number): Uint32Array {
  const schedule = new Uint32Array(ROUNDS)
  const at = (index: number): number => schedule[index] ?? 0
  for (let index = 0; index < ROUNDS; index++) {
    if (index < WORDS_PER_BLOCK) schedule[index] = block.getUint32(offset + index * 4)
    else {
      const near = at(index - 2)
      const far = at(index - 15)
      schedule[index] =
        at(index - 16) +
        (rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)) +
        at(index - 7) +
        (rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10))
    }
  }
  return schedule
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}
