/** Words that a shell can complete: subcommands, long options, and the values of some of them. */
export type CompletionWords = {
  readonly commands: readonly string[];
  readonly options: readonly string[];
  readonly values: Readonly<Record<string, readonly string[]>>;
};

/** A completion script; it is complete in itself and calls nothing when a key is pressed. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', words: CompletionWords): string {
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      return `#compdef tilldone\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`;
    case 'fish':
      return fishScript(words);
  }
}

function bashScript({ commands, options, values }: CompletionWords): string {
  const cases = Object.entries(values).map(
    ([option, accepted]) => `    ${option}) COMPREPLY=($(compgen -W "${accepted.join(' ')}" -- "$word")); return ;;`,
  );
  return `# tilldone completion: eval "$(tilldone completion bash)" in ~/.bashrc
_tilldone() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  case "$before" in
${cases.join('\n')}
    --cd|-C|--add-dir|trust) COMPREPLY=($(compgen -d -- "$word")); return ;;
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "${options.join(' ')}" -- "$word"))
  elif [[ "$COMP_CWORD" -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands.join(' ')}" -- "$word") $(compgen -f -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -F _tilldone tilldone
`;
}

function fishScript({ commands, options, values }: CompletionWords): string {
  const lines = [
    '# tilldone completion: tilldone completion fish > ~/.config/fish/completions/tilldone.fish',
    `complete -c tilldone -n __fish_use_subcommand -a '${commands.join(' ')}'`,
    ...options.map((option) => {
      const accepted = values[option];
      return `complete -c tilldone -l ${option.slice(2)}${accepted === undefined ? '' : ` -x -a '${accepted.join(' ')}'`}`;
    }),
    ...Object.entries(values)
      .filter(([word]) => !word.startsWith('-'))
      .map(([word, accepted]) => `complete -c tilldone -n '__fish_seen_subcommand_from ${word}' -a '${accepted.join(' ')}'`),
  ];
  return `${lines.join('\n')}\n`;
}
