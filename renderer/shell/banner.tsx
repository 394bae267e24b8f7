// The banner above every screen while faults are armed.
import { Link } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import type { ReactElement } from 'react'
import { useFaults } from '../api/faults.ts'
import { useLive } from '../api/live.ts'

export function Banner(): ReactElement | undefined {
  const reported = useLive((snapshot) => snapshot.armedFaults)
  const armed = useFaults().data?.faults.length ?? reported
  if (armed === 0) return undefined
  return (
    <div
      role="status"
      className="flex h-7 shrink-0 items-center gap-2 border-b border-fault/40 bg-fault/10 px-4 text-fault"
    >
      <Zap className="size-3" />
      {armed === 1 ? 'A fault is armed' : `${armed} faults are armed`}: some requests will fail on
      purpose.
      <Link to="/faults" className="underline">
        Show faults
      </Link>
    </div>
  )
}
