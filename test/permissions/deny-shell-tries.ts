/** Ways to run what a rule for commands denies, where everything else is allowed. */
import type { Try } from './tries.ts'

const denied = (deny: readonly string[], ...texts: readonly string[]): Try[] =>
  texts.map((shell) => ({ rules: { deny }, request: { shell } }))

/** Pushing here makes a branch in a repository beside the project, whose hook makes a file. */
const pushes = denied(
  ['shell(git push*)'],
  'git push ../far main',
  'git -C . push ../far main',
  'git -c a.b=c push ../far main',
  '/usr/bin/git push ../far main',
  'GIT push ../far main; git push ../far main',
  '"git" pu\'sh\' ../far main',
  'x=push; git $x ../far main',
  'git $(echo push) ../far main',
  'for x in push; do git $x ../far main; done',
  'env git push ../far main',
  'timeout 9 git push ../far main',
  'sh -c "git push ../far main"',
  'echo git push ../far main | sh',
  'eval git push ../far main',
  'xargs git push ../far <<< main',
  'git -c alias.p=push p ../far main',
  "git -c alias.p='!git push' p ../far main",
  'git config alias.pp push; git pp ../far main',
  "git config --add alias.pp '!git push'; git pp ../far main",
  'git config --global alias.pp push; git pp ../far main',
  'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p ../far main',
  'npx -y git push ../far main',
  'npx --no-install git push ../far main',
  'npm exec -- git push ../far main',
  'npm exec -c "git push ../far main"',
  'git send-pack ../far main',
  '$(git --exec-path)/git-push ../far main',
  '/usr/lib/git-core/git-push ../far main',
  '/usr/lib/git-core/git send-pack ../far main',
  "git -c core.pager='git push ../far main' -p log",
  "git rebase -q -x 'git push ../far main' --root",
  'git bisect start HEAD HEAD; git bisect run git push ../far main',
  'python3 -c "import os; os.system(\'git push ../far main\')"',
  'perl -e \'system("git push ../far main")\'',
  "node -e \"require('child_process').execSync('git push ../far main')\"",
  'awk \'BEGIN{system("git push ../far main")}\'',
  "python3 -c \"import os; os.system('git pu'+'sh ../far main')\"",
  'printf "x:\\n\\tgit push ../far main\\n" | make -f - x',
)

const removals = denied(
  ['shell(rm*)'],
  'rm victim',
  '/bin/rm victim',
  '\\rm victim',
  'r""m victim',
  'busybox rm victim',
  'unlink victim',
  'find . -name victim -delete',
  'find victim -exec rm {} ;',
  'find victim -exec rm {} \\;',
  'shred -u victim',
  'rsync -a --remove-source-files victim out/',
  'tar cf out/x.tar victim --remove-files',
  'git -c alias.x="!rm victim" x',
  'git rm -q victim',
  'perl -e \'unlink "victim"\'',
  'perl -e \'system "rm victim"\'',
  'python3 -c "import os; os.system(\'rm victim\')"',
)

const fetches = denied(
  ['shell(curl*)'],
  'curl -s file://$PWD/README.md -o pwned',
  'env curl -s file://$PWD/README.md -o pwned',
  'c=curl; $c -s file://$PWD/README.md -o pwned',
  'cu$(echo rl) -s file://$PWD/README.md -o pwned',
  'git -c alias.x="!curl -s file://$PWD/README.md -o pwned" x',
  "python3 -c \"import subprocess; subprocess.run(['curl','-s','file:///etc/hostname','-o','pwned'])\"",
)

export const denyShellTries: readonly Try[] = [...pushes, ...removals, ...fetches]
