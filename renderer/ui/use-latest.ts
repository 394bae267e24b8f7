// Keeps handler objects stable while their closures change, so that memoised rows don't render again.
import { useEffect, useRef, useState } from 'react'

type Handlers = Readonly<Record<string, (...values: never[]) => unknown>>

/** Returns the same object at every render. Each function of the object calls the latest handler of the same name. */
export function useLatest<Given extends Handlers>(handlers: Given): Given {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  const [stable] = useState(() => {
    const names = Object.keys(handlers)
    return Object.fromEntries(
      names.map((name) => [name, (...values: never[]) => latest.current[name]?.(...values)]),
    ) as Given
  })
  return stable
}
