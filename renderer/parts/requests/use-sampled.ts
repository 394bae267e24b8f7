// Slows down a value that changes with every frame, for drawings that cost more than a list.
import { useEffect, useRef, useState } from 'react'
import { after } from '../../api/time.ts'

/** Returns the newest value at most once in `millis` wall-clock milliseconds. */
export function useSampled<Value>(value: Value, millis: number): Value {
  const [sampled, setSampled] = useState(value)
  const newest = useRef(value)
  const stop = useRef<(() => void) | undefined>(undefined)
  useEffect(() => {
    newest.current = value
    stop.current ??= after(millis, () => {
      stop.current = undefined
      setSampled(newest.current)
    })
  }, [value, millis])
  useEffect(
    () => () => {
      stop.current?.()
      stop.current = undefined
    },
    [],
  )
  return sampled
}
