// Clock: platform time, by which everything with an expiry goes. It can stand still, be set and be moved on.
import type { ReactElement } from 'react'
import { useClock } from '../../api/platform-clock.ts'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { AdvancePanel, FreezePanel, SetPanel } from './clock-controls.tsx'
import { ClockFace } from './clock-face.tsx'
import { useClockMoves } from './use-clock-moves.ts'

export function ClockPage(): ReactElement {
  const clock = useClock()
  const moves = useClockMoves()
  return (
    <>
      <PageHeader title="Clock" />
      {clock.isError && clock.data === undefined ? (
        <Failed
          title="The clock could not be read"
          error={clock.error}
          retry={() => void clock.refetch()}
        />
      ) : clock.data === undefined ? (
        <Loading label="Loading the clock" lines={5} />
      ) : (
        <div className="min-h-0 flex-1 overflow-auto">
          <div className="mx-auto flex max-w-[960px] flex-col gap-4 p-6">
            <ClockFace state={clock.data} moves={moves} />
            <div className="grid gap-4 md:grid-cols-2">
              <AdvancePanel moves={moves} />
              <SetPanel moves={moves} />
            </div>
            <FreezePanel state={clock.data} moves={moves} />
          </div>
        </div>
      )}
    </>
  )
}
