// The compare screen replays a recording of `tenantry record`, and shows the score of each endpoint with its differences.
import { useSearch } from '@tanstack/react-router'
import { FileDiff, Upload } from 'lucide-react'
import { type ReactElement, useRef, useState } from 'react'
import type { ComparedEndpoint, Comparison } from '../../../emulator/contract/comparisons.ts'
import { compareRecording } from '../../api/comparisons.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Chip } from '../../ui/chip.tsx'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useAction } from '../../ui/form-action.ts'
import { formatNumber } from '../../ui/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import type { CompareSearch } from './compare-search.ts'
import { DifferenceSheet } from './difference-sheet.tsx'

const COLUMNS: readonly GridColumn<ComparedEndpoint>[] = [
  {
    id: 'state',
    header: 'State',
    width: 100,
    render: ({ agreeing, requests }) =>
      agreeing === requests ? (
        <Chip tone="allowed">agrees</Chip>
      ) : (
        <Chip tone="refused">differs</Chip>
      ),
  },
  { id: 'method', header: 'Method', width: 90, isMono: true, render: ({ method }) => method },
  { id: 'route', header: 'Route', min: 240, isMono: true, render: ({ route }) => route },
  {
    id: 'agreeing',
    header: 'Agreeing requests',
    width: 160,
    align: 'end',
    render: ({ agreeing, requests }) => `${formatNumber(agreeing)} of ${formatNumber(requests)}`,
  },
]

export function ComparePage(): ReactElement {
  const { endpoint } = useSearch({ from: '/compare' })
  const go = useSetSearch<CompareSearch>()
  const [isRestored, setIsRestored] = useState(true)
  const [shown, setShown] = useState<Comparison>()
  const run = useAction({
    work: (file: File) => compareRecording(file, isRestored),
    failure: 'Could not compare the recording',
    stale: [[]],
    onDone: (comparison) => {
      setShown(comparison)
      go({})
    },
  })
  return (
    <>
      <PageHeader title="Compare" beside={shown && <Score comparison={shown} />} />
      <Toolbar label="Recording">
        <ChooseButton isBusy={run.isPending} onChoose={(file) => run.mutate(file)} />
        <Checkbox
          label="Restore the data afterwards"
          isChecked={isRestored}
          isDisabled={run.isPending}
          onChange={setIsRestored}
        />
      </Toolbar>
      {shown === undefined ? (
        <EmptyState
          icon={<FileDiff />}
          title="No recording compared"
          detail="Record the traffic of an application with “tenantry record”, then choose the file. The recorded requests are sent to this emulator, and the answers that differ appear here."
        />
      ) : (
        <SheetLayout
          sheet={
            endpoint === undefined ? undefined : (
              <DifferenceSheet
                key={endpoint}
                endpoint={endpoint}
                comparison={shown}
                onClose={() => go({})}
              />
            )
          }
        >
          <DataGrid
            label="Endpoints"
            name="compare"
            columns={COLUMNS}
            rows={shown.endpoints}
            rowKey={nameOf}
            selected={endpoint}
            onSelect={(name) => go({ endpoint: name })}
            isFirst
          />
        </SheetLayout>
      )}
    </>
  )
}

function nameOf({ method, route }: ComparedEndpoint): string {
  return `${method} ${route}`
}

function Score({ comparison }: { readonly comparison: Comparison }): ReactElement {
  const { differences, score, skipped } = comparison
  return (
    <>
      <Chip tone={score === 100 ? 'allowed' : 'refused'}>{score} % agree</Chip>
      <span>
        {formatNumber(differences.length)} {differences.length === 1 ? 'difference' : 'differences'}
        {skipped.length === 0 ? '' : `, ${formatNumber(skipped.length)} not compared`}
      </span>
    </>
  )
}

function ChooseButton(props: {
  readonly isBusy: boolean
  readonly onChoose: (file: File) => void
}): ReactElement {
  const { isBusy, onChoose } = props
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        type="file"
        accept=".har,application/json"
        hidden
        data-testid="recording-field"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file !== undefined) onChoose(file)
          // Clears the field, so that the user can choose the same file again.
          event.target.value = ''
        }}
      />
      <Button
        tone="primary"
        icon={<Upload />}
        isBusy={isBusy}
        onClick={() => field.current?.click()}
      >
        Compare recording
      </Button>
    </>
  )
}
