// Chooses the credential to explain: pasted, or that of a recent request.
import { type ReactElement, useMemo } from 'react'
import { useLive } from '../../api/live.ts'
import { useJournal } from '../../api/requests.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { TextField } from '../../ui/text-field.tsx'

export interface PasteFieldProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Id of the chosen request. */
  readonly request: string | undefined
  readonly onPick: (requestId: string) => void
}

/** Recent requests in the list. */
const OFFERED = 60

export function PasteField({ text, onChange, request, onPick }: PasteFieldProps): ReactElement {
  const live = useLive((snapshot) => snapshot.requests)
  const { data: journal } = useJournal()
  const options = useMemo(() => {
    const past = journal?.pages[0]?.entries ?? []
    const entries = [...live.slice(-OFFERED).reverse(), ...past]
    const byId = new Map(entries.map((entry) => [entry.request_id, entry]))
    return [...byId.values()].slice(0, OFFERED).map((entry) => ({
      value: entry.request_id,
      label: `${entry.method} ${entry.target.split('?')[0]}`,
      detail: `${entry.status} ${entry.role ?? ''}`,
    }))
  }, [live, journal])
  return (
    <section aria-label="Credential" className="flex flex-col gap-2">
      <TextField
        label="Key or token, with or without Bearer"
        placeholder="eyJhbGciOi…  v4.public.…  sdb_gk_…"
        isMono
        lines={4}
        value={text}
        onChange={onChange}
      />
      <div className="flex items-center gap-2">
        <Combobox
          label="Choose a request"
          placeholder="Choose a request"
          isMono
          value={request ?? null}
          options={options}
          onChange={onPick}
          className="w-80"
        />
        {text === '' ? undefined : (
          <Button tone="quiet" onClick={() => onChange('')}>
            Clear credential
          </Button>
        )}
      </div>
    </section>
  )
}
