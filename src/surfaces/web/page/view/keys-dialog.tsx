/** All keys of the page. */
import { keyHelp } from '../model/keys.ts'
import { Dialog } from './dialog.tsx'

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <dl class="keys">
      {keyHelp.map(([key, meaning]) => (
        <>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </>
      ))}
    </dl>
  </Dialog>
)
