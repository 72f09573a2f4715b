/** A form that the page answers itself: the browser sends nothing and stays where it is. */
import type { ComponentProps } from 'preact'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => unknown }

export const Form = ({ onSubmit, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault()
      void onSubmit()
    }}
  />
)

type NameProps = { readonly name: string; readonly onName: (name: string) => void }

export const NameField = ({ name, onName }: NameProps) => (
  <label>
    Name
    <input
      required
      maxLength={200}
      value={name}
      onInput={(event) => onName(event.currentTarget.value)}
    />
  </label>
)
