// State that survives a reload: sizes, layout choices and addresses of applications, never a tenant's data.
import { useState } from 'react'

/** Works like useState, and stores the value in the browser under `key`. Stores nothing when `key` is `undefined`. */
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
