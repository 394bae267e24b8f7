// Names the differences that no statement of the owner can close. Pure.
import type { NotGenerated } from './difference.ts'
import { isTable, type Objects } from './objects.ts'

export function unsupported(from: Objects, to: Objects): readonly NotGenerated[] {
  return [
    ...(from.structure.schemaComment === to.structure.schemaComment
      ? []
      : [
          {
            object: 'comment on the schema',
            reason: 'The statement would have to name the schema, and a step runs in every tenant.',
          },
        ]),
    ...to.structure.types.flatMap((type): NotGenerated[] => {
      const before = from.byKey.get(type.key)
      if (type.range === undefined || before === undefined) return []
      if (before.text === to.byKey.get(type.key)?.text) return []
      const isUsed = from.users(type.key).some((user) => {
        const object = from.byKey.get(user)
        return object?.section === 'relations' && isTable(object.record)
      })
      return isUsed
        ? [
            {
              object: `type ${type.name}`,
              reason: 'Postgres cannot change a range type that columns have.',
            },
          ]
        : []
    }),
  ]
}
