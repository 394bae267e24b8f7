// What happens instead, or besides.
import type { ReactElement } from 'react'
import { HttpStatus } from '../../parts/http-status.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Select } from '../../ui/select.tsx'
import { Section } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { codesOf, effectsOf, type problemsOf } from './arm-draft.ts'
import { EFFECT_NAMES, EFFECT_SENTENCES } from './fault-words.ts'
import { type DraftProps, Field } from './scope-fields.tsx'

export function EffectFields({
  catalogue,
  draft,
  problems,
  onChange,
}: DraftProps & { readonly problems: ReturnType<typeof problemsOf> }): ReactElement {
  const codes = codesOf(catalogue, draft)
  const error = codes.find(({ code }) => code === draft.code)
  const hasMillis = draft.effect === 'latency' || draft.effect === 'realtime_delay'
  return (
    <Section title="What happens">
      <Select
        label="Effect"
        value={draft.effect}
        options={effectsOf(catalogue, draft).map((value) => ({
          value,
          label: EFFECT_NAMES[value],
        }))}
        onChange={(effect) => onChange({ effect })}
      />
      <p className="text-ink-dim">{EFFECT_SENTENCES[draft.effect]}</p>
      {draft.effect === 'error' ? (
        <Field label="Code">
          <Combobox
            label="Code"
            value={draft.code}
            isMono
            className="w-full"
            placeholder="No code fits"
            options={codes.map(({ code, status }) => ({
              value: code,
              label: code,
              detail: String(status),
            }))}
            onChange={(code) => onChange({ code })}
          />
          {problems.code === undefined ? undefined : (
            <p className="text-small text-refused">{problems.code}</p>
          )}
          {error === undefined ? undefined : (
            <p className="flex items-start gap-2 text-ink-dim">
              <HttpStatus status={error.status} />
              <span className="min-w-0 break-words">{error.sentence}</span>
            </p>
          )}
        </Field>
      ) : undefined}
      {hasMillis ? (
        <div className="grid grid-cols-2 gap-2">
          <TextField
            label="Milliseconds"
            value={draft.ms}
            onChange={(ms) => onChange({ ms })}
            isMono
            error={problems.ms}
          />
          {draft.effect === 'latency' ? (
            <TextField
              label="Jitter, ± ms"
              value={draft.jitter}
              onChange={(jitter) => onChange({ jitter })}
              isMono
              placeholder="none"
              error={problems.jitter}
            />
          ) : undefined}
        </div>
      ) : undefined}
    </Section>
  )
}
