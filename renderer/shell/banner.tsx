// One line over every screen for what changes how the platform behaves.
import { Link } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import type { ReactElement } from 'react'
import { useFaults } from '../api/faults.ts'
import { useLive } from '../api/live.ts'

export function Banner(): ReactElement | undefined {
  const told = useLive((snapshot) => snapshot.armedFaults)
  const armed = useFaults().data?.faults.length ?? told
  if (armed === 0) return undefined
  return (
    <div
      role="status"
      className="flex h-7 shrink-0 items-center gap-2 border-b border-fault/40 bg-fault/10 px-4 text-fault"
    >
      <Zap aria-hidden="true" className="size-3" />
      {armed === 1 ? 'A fault is armed' : `${armed} faults are armed`}: some requests will fail on
      purpose.
      <Link to="/faults" className="underline">
        See faults
      </Link>
    </div>
  )
}
