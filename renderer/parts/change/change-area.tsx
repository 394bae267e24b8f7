// Shows the open change over every screen. The shell renders it once.
import { lazy, type ReactElement, Suspense, useSyncExternalStore } from 'react'
import { onOpenedChange, openChange, openedChange } from './open-change.ts'

const Sheet = lazy(async () => {
  const { ChangeSheet } = await import('./change-sheet.tsx')
  return { default: ChangeSheet }
})

export function ChangeArea(): ReactElement | undefined {
  const change = useSyncExternalStore(onOpenedChange, openedChange)
  if (change === undefined) return undefined
  return (
    <Suspense>
      <Sheet {...change} onDone={() => openChange(undefined)} />
    </Suspense>
  )
}
