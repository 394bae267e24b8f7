// Handlers that stay the same objects while their closures change, so that memoised rows don't render again.
import { useEffect, useRef, useState } from 'react'

type Handlers = Readonly<Record<string, (...values: never[]) => unknown>>

/** The same object at every render; each of its functions calls the latest one of that name. */
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
