// Seeded random numbers of the soak. The same seed makes the same decisions. Each lane has its own stream of numbers.

export interface Random {
  /** A whole number from 0 to `count - 1`. */
  below(count: number): number
  isLucky(oneIn: number): boolean
  pick<T>(choices: readonly T[]): T
  bytes(length: number): Buffer
  /** Returns another stream, which does not depend on how many numbers this stream has produced. */
  fork(name: string): Random
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32 is small, and random enough for choices.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    below,
    isLucky: (oneIn) => below(oneIn) === 0,
    pick: (choices) => {
      const chosen = choices[below(choices.length)]
      if (chosen === undefined) throw new Error('nothing to choose from')
      return chosen
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    fork: (name) =>
      createRandom([...name].reduce((sum, sign) => Math.imul(sum, 31) + sign.charCodeAt(0), seed)),
  }
}
