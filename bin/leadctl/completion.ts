import { Argument, type Command, type Option } from 'commander';
import { shellWord } from '../operator/terminal.ts';
import { LEADCTL } from './command-line.ts';
import type { RunCommand, WithoutStack } from './session.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const HELP = `
bash, in ~/.bashrc:                          source <(leadctl completion bash)
zsh, in ~/.zshrc after compinit:             source <(leadctl completion zsh)
fish, in ~/.config/fish/config.fish:         leadctl completion fish | source

It completes commands, options, the values of options that have a fixed set, and file names. IDs are not completed: that
would call AWS. Where the command is not on your PATH, define it first: leadctl() { npx --no-install leadctl "$@"; }

Example:
  $ ${LEADCTL} completion bash
`;

export function addCompletionCommand(
  completion: Command,
  _run: RunCommand,
  withoutStack: WithoutStack,
): void {
  completion
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) =>
      withoutStack.run(async () => {
        const script = SCRIPTS[shell](placesOf(completion.parent as Command));
        return { result: { shell, script }, lines: script.split('\n') };
      }),
    );
}

interface Word {
  readonly text: string;
  readonly about: string;
}

/** What can follow an option that takes a value. */
interface Value {
  readonly option: string;
  readonly about: string;
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

/** One command, and what can follow it. */
interface Place {
  /** `leadctl leads list`. */
  readonly path: string;
  readonly words: readonly Word[];
  readonly values: readonly Value[];
}

function placesOf(program: Command): Place[] {
  const visit = (command: Command, before: string): Place[] => {
    const path = before === '' ? command.name() : `${before} ${command.name()}`;
    const global = command === program ? [] : program.options.filter(({ long }) => long !== '--version');
    const options = [...command.options, ...global].filter(({ hidden }) => !hidden);
    const words = [
      ...command.commands.map((each) => ({ text: each.name(), about: firstSentence(each.description()) })),
      ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
        argChoices.map((text) => ({ text, about: description })),
      ),
      ...options.map((each) => ({ text: nameOf(each), about: each.description })),
      { text: '--help', about: 'display help for command' },
    ];
    const values = options
      .filter(({ required, optional }) => required || optional)
      .map((each) => ({
        option: nameOf(each),
        about: each.description,
        choices: each.argChoices ?? [],
        isFile: /<(file|folder)>/.test(each.flags),
      }));
    return [{ path, words, values }, ...command.commands.flatMap((each) => visit(each, path))];
  };
  return visit(program, '');
}

function nameOf({ long, short }: Option): string {
  return long ?? short ?? '';
}

function firstSentence(text: string): string {
  return text.replace(/\. .*$/s, '').replace(/\.$/, '');
}

const wordsOf = (words: readonly Word[]) => words.map(({ text }) => text).join(' ');

/** Branches of bash's and zsh's `case`, after "$at $word". Finds the command that the words before the cursor name. */
function descend(places: readonly Place[]): string {
  return places
    .slice(1)
    .map(({ path }) => shellWord(path))
    .join(' | ');
}

/** Branches for the value of an option, the word after `"$at $previous"`. */
function valueBranches(
  places: readonly Place[],
  complete: (choices: readonly string[]) => string,
  completeFile: string,
): string[] {
  return places.flatMap(({ path, values }) =>
    values.map(({ option, choices, isFile }) => {
      const action = isFile ? completeFile : choices.length > 0 ? complete(choices) : '';
      return `    ${shellWord(`${path} ${option}`)}) ${action ? `${action}; ` : ''}return ;;`;
    }),
  );
}

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: (places) => `# bash completion of leadctl
_leadctl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at=leadctl words= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${descend(places)}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${valueBranches(places, (choices) => `COMPREPLY=($(compgen -W ${shellWord(choices.join(' '))} -- "$current"))`, 'compopt -o default 2>/dev/null').join('\n')}
  esac
  case "$at" in
${places.map(({ path, words }) => `    ${shellWord(path)}) words=${shellWord(wordsOf(words))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _leadctl leadctl`,

  zsh: (places) => `#compdef leadctl
_leadctl() {
  local at=leadctl index
  local -a names options
  for ((index = 2; index < CURRENT; index++)); do
    case "$at $words[index]" in
      ${descend(places)}) at="$at $words[index]" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${valueBranches(places, (choices) => `compadd -- ${choices.map(shellWord).join(' ')}`, '_files').join('\n')}
  esac
  case "$at" in
${places
  .map(({ path, words }) => {
    const [names, options] = [false, true].map((wanted) =>
      words
        .filter(({ text }) => text.startsWith('--') === wanted)
        .map(({ text, about }) => shellWord(`${text}:${about}`))
        .join(' '),
    );
    return `    ${shellWord(path)}) names=(${names}) options=(${options}) ;;`;
  })
  .join('\n')}
  esac
  _describe -t commands command names
  _describe -o option options
}
if [ "$funcstack[1]" = _leadctl ]; then _leadctl "$@"; else compdef _leadctl leadctl; fi`,

  fish: (places) => `# fish completion of leadctl
function __leadctl_at
  set -l at leadctl
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${places
        .slice(1)
        .map(({ path }) => shellWord(path))
        .join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c leadctl -f
${places.flatMap(fishLines).join('\n')}`,
};

function fishLines({ path, words, values }: Place): string[] {
  const start = `complete -c leadctl -n ${fishWord(`__leadctl_at ${fishWord(path)}`)}`;
  return words.map(({ text, about }) => {
    const description = `-d ${fishWord(about)}`;
    if (!text.startsWith('--')) return `${start} -a ${text} ${description}`;
    const value = values.find(({ option }) => option === text);
    const kind = value?.isFile ? ' -r -F' : value ? ` -x -a ${fishWord(value.choices.join(' '))}` : '';
    return `${start} -l ${text.slice(2)}${kind} ${description}`;
  });
}

/** In single quotes, fish has two escapes. */
function fishWord(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
