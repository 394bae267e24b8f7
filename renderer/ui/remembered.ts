// State that survives a reload: sizes and choices of layout, never data of a tenant.
import { useState } from 'react'

/** Like useState, stored in the browser under `key`; not stored when that is `undefined`. */
export function useRemembered<Value>(
  key: string | undefined,
  initial: Value,
): readonly [value: Value, remember: (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => recall(key) ?? initial)
  return [
    value,
    (next) => {
      setValue(next)
      if (key !== undefined) localStorage.setItem(`tenantry.${key}`, JSON.stringify(next))
    },
  ]
}

function recall<Value>(key: string | undefined): Value | undefined {
  if (key === undefined) return undefined
  try {
    const kept = localStorage.getItem(`tenantry.${key}`)
    return kept === null ? undefined : (JSON.parse(kept) as Value)
  } catch {
    return undefined
  }
}
