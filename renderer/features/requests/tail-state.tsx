// Shows the state of the list (live, paused, or waiting for the emulator), the pause button, and the text of an empty
// list.
import { Activity, Pause, Play } from 'lucide-react'
import { type ReactElement, useEffect } from 'react'
import { useLive } from '../../api/live.ts'
import type { Tail } from '../../parts/requests/use-tail.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { formatNumber } from '../../ui/format.ts'
import { isPopupOpen, isTyping } from '../../ui/keyboard.ts'
import { Loading } from '../../ui/loading.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'

export function TailState({ tail }: { readonly tail: Tail }): ReactElement {
  const connection = useLive((snapshot) => snapshot.connection)
  if (tail.isPaused)
    return (
      <Chip tone="clock" icon={<Pause />}>
        paused · {formatNumber(tail.waiting)} new
      </Chip>
    )
  if (connection === 'live') return <StatusDot state="well" label="live" />
  return (
    <StatusDot
      state="changing"
      label={connection === 'connecting' ? 'connecting' : 'reconnecting'}
    />
  )
}

/** The key `p` also pauses and resumes the list. */
export function PauseButton({ tail }: { readonly tail: Tail }): ReactElement {
  const { isPaused, pause, resume } = tail
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'p' || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || isPopupOpen()) return
      if (isPaused) resume()
      else pause()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
  return (
    <Button
      aria-keyshortcuts="p"
      icon={isPaused ? <Play /> : <Pause />}
      onClick={isPaused ? resume : pause}
    >
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  )
}

export function NoRequests(props: {
  readonly tail: Pick<Tail, 'error' | 'isLoading' | 'retry'>
  readonly isFiltered: boolean
}): ReactElement {
  const { tail, isFiltered } = props
  if (tail.error !== null)
    return <Failed title="Could not load the requests" error={tail.error} retry={tail.retry} />
  if (tail.isLoading) return <Loading label="Loading requests" />
  if (isFiltered)
    return <EmptyState title="No requests match" detail="Remove a filter or change the search." />
  return (
    <EmptyState
      icon={<Activity />}
      title="No requests yet"
      detail="Requests appear here after the platform has answered them. Point your application at the emulator."
    />
  )
}
