// What an expression reads in the end, through views and functions. Pure.
import type { References } from './references.ts'
import type { SchemaModel } from './schema-model.ts'

/** A relation that is read. */
export interface Read {
  readonly relation: string
  /** Views and functions on the way, the first one first. Functions as `is_member()`. */
  readonly through: readonly string[]
  /** Whether a function or a view reads with its owner's rights. */
  readonly asOwner: boolean
  /** Whether a function is on the way. */
  readonly inFunction: boolean
}

const START = { through: [], asOwner: false, inFunction: false } as const

/** Returns every relation once for each way of reading it. Views that are read are followed, and are not in the result. */
export function readsOf(model: SchemaModel, references: References): readonly Read[] {
  const found: Read[] = []
  const seen = new Set<string>()
  const follow = (one: References, way: Omit<Read, 'relation'>): void => {
    for (const relation of one.relations) {
      const view = model.views.get(relation)
      if (view === undefined) found.push({ ...way, relation })
      else
        visit(relation, view.references, {
          ...way,
          through: [...way.through, relation],
          asOwner: way.asOwner || !view.isInvoker,
        })
    }
    for (const name of one.functions) {
      const called = model.functions.get(name)
      if (called !== undefined)
        visit(`${name}()`, called.references, {
          through: [...way.through, `${name}()`],
          asOwner: way.asOwner || called.isDefiner,
          inFunction: true,
        })
    }
  }
  const visit = (name: string, one: References, way: Omit<Read, 'relation'>): void => {
    const key = `${name} ${way.asOwner}`
    if (seen.has(key)) return
    seen.add(key)
    follow(one, way)
  }
  follow(references, START)
  return found
}
