// Drops undefined members of an object literal, for targets whose optional members may not be undefined.

type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key]
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/** Copies the members whose value is not `undefined`, in the same order. `null` stays. */
export function defined<T extends object>(members: T): Defined<T> {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as Defined<T>
}
