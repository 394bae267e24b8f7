// The line below the top bar while the emulator does not answer, and after it came back with other data.
import { CircleAlert, RotateCcw, X } from 'lucide-react'
import type { ReactElement } from 'react'
import { dismissReset, useServerState } from '../api/server-state.ts'
import { IconButton } from '../ui/button.tsx'

const LINE =
  'flex min-h-7 shrink-0 items-center gap-2 border-b px-4 [&_svg]:size-3 [&_svg]:shrink-0'

export function ServerBanner(): ReactElement | undefined {
  const { isGone, wasReset } = useServerState()
  if (isGone)
    return (
      <div role="alert" className={`${LINE} border-refused/40 bg-refused/10 text-refused`}>
        <CircleAlert />
        <span>
          The emulator does not answer. Actions are disabled, and the page shows what it loaded
          last. Start the emulator again: the page reconnects by itself.
        </span>
      </div>
    )
  if (!wasReset) return undefined
  return (
    <div role="status" className={`${LINE} border-clock/40 bg-clock/10 text-clock`}>
      <RotateCcw />
      <span>
        The emulator was reset: it restarted with other data. The page shows the new data.
      </span>
      <IconButton
        label="Dismiss"
        size="small"
        icon={<X />}
        className="ml-auto"
        onClick={dismissReset}
      />
    </div>
  )
}
