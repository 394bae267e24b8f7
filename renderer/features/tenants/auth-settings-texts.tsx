// The two auth settings that are written: a button to save them shows once they differ from what holds.
import { type ReactElement, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'

export function PasswordLength({
  value,
  onChange,
}: {
  readonly value: number
  readonly onChange: (value: number) => void
}): ReactElement {
  const [text, setText] = useState(String(value))
  const next = Number(text)
  const isChanged = text.trim() !== '' && Number.isInteger(next) && next !== value
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) onChange(next)
      }}
    >
      <div className="w-20">
        <TextField
          label="Shortest password"
          isLabelHidden
          kind="number"
          value={text}
          onChange={setText}
        />
      </div>
      {isChanged ? <Button type="submit">Save</Button> : undefined}
    </form>
  )
}

export function RedirectUrls({
  value,
  onChange,
}: {
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
}): ReactElement {
  const [text, setText] = useState(value.join('\n'))
  const next = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const isChanged = next.join('\n') !== value.join('\n')
  return (
    <form
      className="flex w-full flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(next)
      }}
    >
      <TextField
        label="Addresses links may return to"
        isLabelHidden
        isMono
        lines={3}
        placeholder="https://app.example.com/welcome"
        value={text}
        onChange={setText}
      />
      {isChanged ? (
        <Button type="submit" className="self-end">
          Save
        </Button>
      ) : undefined}
    </form>
  )
}
