// Names of the schema that request generators use. Each number means one object. A `Words` function returns the object's name for
// each number. Words of `hostile` try to end the quotes around them.

/** Returns the word for a number. Different numbers have different words. */
export type Words = (index: number) => string

/** The number of each object of the schema. */
export const WORD = {
  owners: 0,
  pets: 1,
  chips: 2,
  visits: 3,
  pairs: 4,
  key: 5,
  name: 6,
  data: 7,
  text: 8,
  owner: 9,
  visit: 10,
  colour: 11,
  search: 12,
  add: 13,
  ping: 14,
  whole: 15,
  many: 16,
  favourite: 17,
  first: 18,
  second: 19,
  /** The words of this number and of higher numbers name no object. */
  free: 20,
} as const

const SUFFIXES = [
  `"`,
  `'`,
  `\\`,
  `";drop table x;--`,
  `'; select 1 --`,
  `\\'; select 1 /*`,
  `*/`,
  `$1`,
  `$$ x $$`,
  ` E'\\`,
  `"."`,
  `‘’`,
  `é\u{1f44d}`,
  `,.:()!*->{}%&=+`,
]

export const harmless: Words = (index) => `qz${String(index).padStart(2, '0')}`

/** Words with quotes, comments and other SQL characters. One word that names no object contains a NUL. */
export const hostile: Words = (index) => {
  const suffix = SUFFIXES[index % SUFFIXES.length] ?? ''
  return harmless(index) + suffix + (index === WORD.free + 1 ? `\0'` : '')
}
