// swift-format-ignore-file
// SPDX-License-Identifier: Apache-2.0

import Languages

/// The texts of the scorer's page and of the spectators' page, by the keys that the pages use. Names in braces are
/// replaced by the pages.
package enum PageWords {
  /// The texts in a language, as the look-up of `Words` finds them: those of the last of the language's variants that
  /// has its own, else English.
  ///
  /// - Parameter tag: a BCP 47 tag, such as `pt-BR`.
  /// - Returns: the tag of the language of the texts and the texts.
  package static func words(for tag: String) -> (language: String, words: [String: String]) {
    let columns = columns(for: tag)
    var words: [String: String] = [:]
    for line in table.description.split(separator: "\n") {
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
      guard let key = parts.first, !key.isEmpty else { continue }
      words[key] = columns.lazy.filter { $0 + 1 < parts.count }.map { parts[$0 + 1] }.first { !$0.isEmpty } ?? ""
    }
    return (Words.languages[columns[0]], words)
  }

  /// The columns to look in, the most special first.
  private static func columns(for tag: String) -> [Int] {
    var names = ["en"]
    if let tag = LanguageTag(bcp47: tag) {
      names.append(tag.language)
      // CLDR's `parentLocales`: Portuguese outside of Brazil is like that of Portugal.
      if tag.language == "pt", let region = tag.region, region != "BR" { names.append("pt-PT") }
    }
    return Words.languages.indices.filter { names.contains(Words.languages[$0]) }.reversed()
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// A line for each text, with a column for each of `Words.languages`. An empty column is that of the language without a
  /// region.
  static var table: StaticString {
    """
    actions | Actions | Aktionen | Actions | Acciones | Azioni | Ações | | Acties | Działania | İşlemler | 操作
    menu | Menu | Menü | Menu | Menú | Menu | Menu | | Menu | Menu | Menü | メニュー
    edit | Enter a score or a name | Punkte oder Namen eingeben | Saisir un score ou un nom | Introducir marcador o nombre | Inserisci punteggio o nome | Inserir placar ou nome | Introduzir resultado ou nome | Score of naam invoeren | Wpisz wynik lub nazwę | Skor veya ad gir | 得点や名前を入力
    close | Close | Schließen | Fermer | Cerrar | Chiudi | Fechar | | Sluiten | Zamknij | Kapat | 閉じる
    cancel | Cancel | Abbrechen | Annuler | Cancelar | Annulla | Cancelar | | Annuleren | Anuluj | Vazgeç | キャンセル
    delete | Delete the last digit | Letzte Ziffer löschen | Effacer le dernier chiffre | Borrar la última cifra | Cancella l’ultima cifra | Apagar o último dígito | | Laatste cijfer wissen | Usuń ostatnią cyfrę | Son rakamı sil | 最後の数字を消す
    save | Save | Speichern | Enregistrer | Guardar | Salva | Salvar | Guardar | Opslaan | Zapisz | Kaydet | 保存
    show | Show | Anzeigen | Afficher | Mostrar | Mostra | Mostrar | | Tonen | Pokaż | Göster | 表示
    clear | Clear | Entfernen | Effacer | Quitar | Rimuovi | Remover | | Wissen | Usuń | Kaldır | 消す
    undo | Undo | Rückgängig | Annuler | Deshacer | Annulla | Desfazer | Anular | Ongedaan | Cofnij | Geri al | 元に戻す
    redo | Redo | Wieder­herstellen | Rétablir | Rehacer | Ripeti | Refazer | | Opnieuw | Ponów | Yinele | やり直す
    seconds-ago | {n} s ago | vor {n} s | il y a {n} s | hace {n} s | {n} s fa | há {n} s | | {n} s geleden | {n} s temu | {n} sn önce | {n}秒前
    minutes-ago | {n} min ago | vor {n} min | il y a {n} min | hace {n} min | {n} min fa | há {n} min | | {n} min geleden | {n} min temu | {n} dk önce | {n}分前
    hold-longer | Hold the button to confirm. | Zum Bestätigen gedrückt halten. | Maintenez le bouton pour confirmer. | Mantén pulsado para confirmar. | Tieni premuto per confermare. | Segure o botão para confirmar. | Mantenha premido para confirmar. | Houd ingedrukt om te bevestigen. | Przytrzymaj, aby potwierdzić. | Onaylamak için basılı tutun. | 長押しで確定します。
    match | Match | Spiel | Match | Partido | Partita | Partida | Jogo | Wedstrijd | Mecz | Maç | 試合
    match-over | The match is over. | Das Spiel ist zu Ende. | Le match est terminé. | El partido ha terminado. | La partita è finita. | A partida acabou. | O jogo acabou. | De wedstrijd is afgelopen. | Mecz się zakończył. | Maç bitti. | 試合終了
    period-over | {period} is over. | {period} ist zu Ende. | {period} : terminé. | {period}: terminado. | {period}: finito. | {period}: encerrado. | {period}: terminado. | {period} is afgelopen. | {period}: koniec. | {period} bitti. | {period} 終了
    clock-over | The clock has run out: set it in the menu. | Die Uhr ist abgelaufen: im Menü neu stellen. | Le temps est écoulé : réglez-le dans le menu. | El tiempo se ha agotado: ajústalo en el menú. | Il tempo è scaduto: regolalo nel menu. | O tempo acabou: acerte-o no menu. | | De tijd is om: zet de klok in het menu. | Czas minął: ustaw zegar w menu. | Süre doldu: saati menüden ayarlayın. | 時間切れです。メニューで時計を合わせてください。
    next-period | Begin: | Beginnen: | Commencer : | Empezar: | Inizia: | Começar: | Iniciar: | Begin: | Zacznij: | Başlat: | 次へ:
    previous-period | Back: | Zurück: | Revenir : | Volver: | Indietro: | Voltar: | | Terug: | Wróć: | Geri: | 前へ:
    did-score | {team} {change} | {team} {change} | {team} {change} | {team} {change} | {team} {change} | {team} {change} | | {team} {change} | {team} {change} | {team} {change} | {team} {change}
    did-turn | {team} 0 | {team} 0 | {team} 0 | {team} 0 | {team} 0 | {team} 0 | | {team} 0 | {team} 0 | {team} 0 | {team} 0
    did-bust | {team}: bust, the turn scores nothing. | {team}: überworfen, die Aufnahme zählt nicht. | {team} : dépassé, la volée ne compte pas. | {team}: se pasa, la tirada no cuenta. | {team}: sballato, il turno non conta. | {team}: estourou, a rodada não conta. | {team}: passou, a jogada não conta. | {team}: dood, de beurt telt niet. | {team}: fura, kolejka się nie liczy. | {team}: fazla geldi, tur sayılmaz. | {team}: バースト、得点なし
    did-period | {periods}: {change} | {periods}: {change} | {periods}: {change} | {periods}: {change} | {periods}: {change} | {periods}: {change} | | {periods}: {change} | {periods}: {change} | {periods}: {change} | {periods}: {change}
    did-period-score | {team}, {periods} {period}: {change} | {team}, {period}. {periods}: {change} | {team}, {periods} {period} : {change} | {team}, {periods} {period}: {change} | {team}, {periods} {period}: {change} | {team}, {periods} {period}: {change} | | {team}, {periods} {period}: {change} | {team}, {period}. {periods}: {change} | {team}, {period}. {periods}: {change} | {team}、第{period}{periods}: {change}
    did-name | {team}: name {change} | {team}: Name {change} | {team} : nom {change} | {team}: nombre {change} | {team}: nome {change} | {team}: nome {change} | | {team}: naam {change} | {team}: nazwa {change} | {team}: ad {change} | {team}: 名前 {change}
    did-short-name | {team}: short name {change} | {team}: Kurzname {change} | {team} : nom court {change} | {team}: nombre corto {change} | {team}: nome breve {change} | {team}: nome curto {change} | | {team}: korte naam {change} | {team}: krótka nazwa {change} | {team}: kısa ad {change} | {team}: 略称 {change}
    did-color | {team}: colour {change} | {team}: Farbe {change} | {team} : couleur {change} | {team}: color {change} | {team}: colore {change} | {team}: cor {change} | | {team}: kleur {change} | {team}: kolor {change} | {team}: renk {change} | {team}: 色 {change}
    did-serve | {serve}: {team} | {serve}: {team} | {serve}: {team} | {serve}: {team} | {serve}: {team} | {serve}: {team} | | {serve}: {team} | {serve}: {team} | {serve}: {team} | {serve}: {team}
    did-counter | {team} {counter} {change} | {team} {counter} {change} | {team} {counter} {change} | {team} {counter} {change} | {team} {counter} {change} | {team} {counter} {change} | | {team} {counter} {change} | {team} {counter} {change} | {team} {counter} {change} | {team} {counter} {change}
    did-timer-start | {timer}: running | {timer}: läuft | {timer}: en marche | {timer}: en marcha | {timer}: in corso | {timer}: em andamento | {timer}: a contar | {timer}: loopt | {timer}: działa | {timer}: çalışıyor | {timer}: 動作中
    did-timer-pause | {timer}: paused | {timer}: angehalten | {timer}: en pause | {timer}: en pausa | {timer}: in pausa | {timer}: em pausa | | {timer}: gepauzeerd | {timer}: wstrzymany | {timer}: duraklatıldı | {timer}: 停止中
    did-timer-reset | {timer}: Reset {change} | {timer}: Zurückgesetzt {change} | {timer}: Réinitialisé {change} | {timer}: Reiniciado {change} | {timer}: Ripristinato {change} | {timer}: Reiniciado {change} | {timer}: Reposto {change} | {timer}: Teruggezet {change} | {timer}: Ustawiono od nowa {change} | {timer}: Yeniden kuruldu {change} | {timer}: リセット {change}
    did-timer-set | {timer} {change} | {timer} {change} | {timer} {change} | {timer} {change} | {timer} {change} | {timer} {change} | | {timer} {change} | {timer} {change} | {timer} {change} | {timer} {change}
    did-penalty | {team}: Penalty {player} {change} | {team}: Strafe {player} {change} | {team}: Pénalité {player} {change} | {team}: Penalización {player} {change} | {team}: Penalità {player} {change} | {team}: Penalidade {player} {change} | | {team}: Straf {player} {change} | {team}: Kara {player} {change} | {team}: Ceza {player} {change} | {team}: ペナルティ {player} {change}
    did-penalty-end | {team}: penalty {player} ended | {team}: Strafe {player} beendet | {team} : pénalité {player} terminée | {team}: penalización {player} terminada | {team}: penalità {player} terminata | {team}: penalidade {player} encerrada | {team}: penalidade {player} terminada | {team}: straf {player} beëindigd | {team}: kara {player} zakończona | {team}: ceza {player} bitti | {team}: ペナルティ {player} 終了
    did-penalties-clear | {team}: no more penalties | {team}: keine Strafen mehr | {team} : plus de pénalités | {team}: sin penalizaciones | {team}: nessuna penalità | {team}: sem penalidades | | {team}: geen straffen meer | {team}: brak kar | {team}: ceza yok | {team}: ペナルティなし
    did-swap | Sides swapped | Seiten getauscht | Changement de côté | Cambio de lado | Cambio di campo | Troca de lado | Troca de campo | Van kant gewisseld | Zmiana stron | Sahalar değişti | コートチェンジ
    did-new-game | New game | Neues Spiel | Nouveau match | Nuevo partido | Nuova partita | Nova partida | Novo jogo | Nieuwe wedstrijd | Nowy mecz | Yeni maç | 新しい試合
    did-reset | New game, original names | Neues Spiel, ursprüngliche Namen | Nouveau match, noms d’origine | Nuevo partido, nombres originales | Nuova partita, nomi originali | Nova partida, nomes originais | Novo jogo, nomes originais | Nieuwe wedstrijd, oude namen | Nowy mecz, pierwotne nazwy | Yeni maç, ilk adlar | 新しい試合（名前も初期化）
    did-restore | Match brought back | Spiel zurückgeholt | Match repris | Partido recuperado | Partita recuperata | Partida recuperada | Jogo recuperado | Wedstrijd teruggehaald | Mecz przywrócony | Maç geri getirildi | 試合を戻しました
    did-game-won | {team} wins {name}, {change} | {team} gewinnt {name}, {change} | {team} gagne {name}, {change} | {team} gana {name}, {change} | {team} vince {name}, {change} | {team} vence {name}, {change} | | {team} wint {name}, {change} | Wygrywa {team}: {name}, {change} | {team} kazandı: {name}, {change} | {team} の勝ち: {name}, {change}
    did-period-won | {team} wins {name}, {change} | {team} gewinnt {name}, {change} | {team} gagne {name}, {change} | {team} gana {name}, {change} | {team} vince {name}, {change} | {team} vence {name}, {change} | | {team} wint {name}, {change} | Wygrywa {team}: {name}, {change} | {team} kazandı: {name}, {change} | {team} の勝ち: {name}, {change}
    did-match-won | {team} wins the match, {change} | {team} gewinnt das Spiel, {change} | {team} gagne le match, {change} | {team} gana el partido, {change} | {team} vince la partita, {change} | {team} vence a partida, {change} | {team} vence o jogo, {change} | {team} wint de wedstrijd, {change} | {team} wygrywa mecz, {change} | {team} maçı kazandı, {change} | {team} が試合に勝ちました, {change}
    serve | Serve | Aufschlag | Service | Saque | Servizio | Saque | Serviço | Opslag | Zagrywka | Servis | サーブ
    possession | Possession | Ballbesitz | Possession | Posesión | Possesso | Posse | | Balbezit | Posiadanie | Top | ポゼッション
    throw | Throw | Anwurf | Lancer | Lanzamiento | Tiro | Arremesso | Lançamento | Worp | Rzut | Atış | スロー
    team | Team | Team | Équipe | Equipo | Squadra | Equipe | Equipa | Team | Drużyna | Takım | チーム
    turn | Enter points | Punkte eingeben | Saisir les points | Introducir puntos | Inserisci punti | Inserir pontos | Introduzir pontos | Punten invoeren | Wpisz punkty | Sayı gir | 得点を入力
    set-score | Set the score | Punktestand setzen | Régler le score | Fijar el marcador | Imposta il punteggio | Definir o placar | Definir o resultado | Score instellen | Ustaw wynik | Skoru ayarla | 得点を設定
    name-colour | Name and colour | Name und Farbe | Nom et couleur | Nombre y color | Nome e colore | Nome e cor | | Naam en kleur | Nazwa i kolor | Ad ve renk | 名前と色
    name | Name | Name | Nom | Nombre | Nome | Nome | | Naam | Nazwa | Ad | 名前
    short-name | Short name | Kurzname | Nom court | Nombre corto | Nome breve | Nome curto | | Korte naam | Krótka nazwa | Kısa ad | 略称
    colour | Colour | Farbe | Couleur | Color | Colore | Cor | | Kleur | Kolor | Renk | 色
    penalty | Penalty | Strafe | Pénalité | Penalización | Penalità | Penalidade | | Straf | Kara | Ceza | ペナルティ
    penalty-end | End the penalty | Strafe beenden | Fin de la pénalité | Terminar la penalización | Termina la penalità | Encerrar a penalidade | Terminar a penalidade | Straf beëindigen | Zakończ karę | Cezayı bitir | ペナルティを終了
    length | Length | Dauer | Durée | Duración | Durata | Duração | | Duur | Czas trwania | Süre | 長さ
    player | Player’s number (optional) | Nummer des Spielers (optional) | Numéro du joueur (facultatif) | Número del jugador (opcional) | Numero del giocatore (facoltativo) | Número do jogador (opcional) | | Nummer van de speler (optioneel) | Numer zawodnika (opcjonalnie) | Oyuncu numarası (isteğe bağlı) | 選手の番号（任意）
    clock | Clock | Spieluhr | Chronomètre | Reloj | Cronometro | Relógio | Cronómetro | Klok | Zegar | Saat | 時計
    shot-clock | Shot clock | Wurfuhr | Horloge des tirs | Reloj de posesión | Cronometro dei tiri | Relógio de posse | Relógio de lançamento | Schotklok | Zegar akcji | Hücum süresi | ショットクロック
    start | Start | Start | Démarrer | Iniciar | Avvia | Iniciar | | Start | Start | Başlat | 開始
    pause | Pause | Pause | Pause | Pausa | Pausa | Pausar | | Pauze | Pauza | Durdur | 停止
    set-clock | Set the clock | Uhr stellen | Régler | Ajustar | Regola | Acertar | | Klok zetten | Ustaw zegar | Saati ayarla | 時計を合わせる
    reset-clock | Reset the clock | Uhr zurücksetzen | Réinitialiser | Reiniciar el reloj | Ripristina | Reiniciar o relógio | Repor o cronómetro | Klok terugzetten | Ustaw zegar od nowa | Saati yeniden kur | 時計をリセット
    reset-shot | Reset the shot clock | Wurfuhr zurücksetzen | Relancer l’horloge des tirs | Reiniciar la posesión | Riavvia i tiri | Reiniciar a posse | Repor o lançamento | Schotklok terugzetten | Zegar akcji od nowa | Hücum süresini yeniden kur | ショットクロックをリセット
    swap | Swap sides | Seiten tauschen | Changer de côté | Cambiar de lado | Cambia campo | Trocar de lado | Trocar de campo | Wissel van kant | Zamień strony | Saha değiştir | コートチェンジ
    new-game | New game | Neues Spiel | Nouveau match | Nuevo partido | Nuova partita | Nova partida | Novo jogo | Nieuwe wedstrijd | Nowy mecz | Yeni maç | 新しい試合
    reset | New game, original names | Neues Spiel, ursprüngliche Namen | Nouveau match, noms d’origine | Nuevo partido, nombres originales | Nuova partita, nomi originali | Nova partida, nomes originais | Novo jogo, nomes originais | Nieuwe wedstrijd, oude namen | Nowy mecz, pierwotne nazwy | Yeni maç, ilk adlar | 新しい試合（名前も初期化）
    message | Message | Mitteilung | Message | Mensaje | Messaggio | Mensagem | | Bericht | Komunikat | Mesaj | メッセージ
    keep | Keep it until it is cleared | Stehen lassen, bis sie entfernt wird | Laisser jusqu’à l’effacement | Mantener hasta quitarlo | Mantieni fino alla rimozione | Manter até ser removida | | Laten staan tot wissen | Zostaw do usunięcia | Kaldırılana kadar kalsın | 消すまで表示する
    page | Page | Seite | Page | Página | Pagina | Página | | Pagina | Strona | Sayfa | ページ
    brightness | Brightness | Helligkeit | Luminosité | Brillo | Luminosità | Brilho | | Helderheid | Jasność | Parlaklık | 明るさ
    brighter | Brighter | Heller | Plus clair | Más brillo | Più luminoso | Mais claro | | Helderder | Jaśniej | Daha parlak | 明るく
    darker | Darker | Dunkler | Plus sombre | Menos brillo | Meno luminoso | Mais escuro | | Donkerder | Ciemniej | Daha karanlık | 暗く
    blank | Switch the display off | Anzeige ausschalten | Éteindre l’affichage | Apagar la pantalla | Spegni lo schermo | Desligar a tela | Desligar o ecrã | Scherm uitzetten | Wyłącz ekran | Ekranı kapat | 画面を消す
    unblank | Switch the display on | Anzeige einschalten | Allumer l’affichage | Encender la pantalla | Accendi lo schermo | Ligar a tela | Ligar o ecrã | Scherm aanzetten | Włącz ekran | Ekranı aç | 画面をつける
    blanked | The display is off. | Die Anzeige ist aus. | L’affichage est éteint. | La pantalla está apagada. | Lo schermo è spento. | A tela está desligada. | O ecrã está desligado. | Het scherm staat uit. | Ekran jest wyłączony. | Ekran kapalı. | 画面は消えています。
    board | Page for spectators | Seite für Zuschauer | Page pour le public | Página para el público | Pagina per il pubblico | Página do público | | Pagina voor publiek | Strona dla widzów | Seyirci sayfası | 観客用ページ
    keyboard | Keyboard | Tastatur | Clavier | Teclado | Tastiera | Teclado | | Toetsenbord | Klawiatura | Klavye | キーボード
    shortcuts | Use these keys | Diese Tasten benutzen | Utiliser ces touches | Usar estas teclas | Usa questi tasti | Usar estas teclas | | Deze toetsen gebruiken | Używaj tych klawiszy | Bu tuşları kullan | これらのキーを使う
    viewer | This device only watches. | Dieses Gerät sieht nur zu. | Cet appareil ne fait que regarder. | Este dispositivo solo mira. | Questo dispositivo guarda soltanto. | Este aparelho só assiste. | Este aparelho só assiste. | Dit apparaat kijkt alleen. | To urządzenie tylko ogląda. | Bu aygıt yalnızca izliyor. | この端末は観戦専用です。
    pair-title | Keep the score on this device | Spielstand auf diesem Gerät führen | Tenir le score sur cet appareil | Llevar el marcador en este dispositivo | Segna i punti con questo dispositivo | Marcar o placar neste aparelho | Marcar o resultado neste aparelho | De stand bijhouden op dit apparaat | Prowadź wynik na tym urządzeniu | Skoru bu aygıttan tut | この端末で得点をつける
    pair-how | Run “flipclockctl remote” on the wall’s computer, or press the key for it. Then scan the picture on the wall with the camera, or enter the six digits shown there. | Auf dem Rechner der Anzeige „flipclockctl remote“ aufrufen oder die dafür belegte Taste drücken. Dann das Bild auf der Anzeige mit der Kamera scannen oder die sechs Ziffern eingeben. | Lancez « flipclockctl remote » sur l’ordinateur de l’afficheur, ou appuyez sur la touche prévue. Scannez ensuite l’image avec l’appareil photo, ou saisissez les six chiffres. | Ejecuta «flipclockctl remote» en el ordenador del marcador o pulsa la tecla asignada. Después escanea la imagen con la cámara o introduce las seis cifras. | Avvia «flipclockctl remote» sul computer del tabellone o premi il tasto assegnato. Poi inquadra l’immagine con la fotocamera o inserisci le sei cifre. | Execute “flipclockctl remote” no computador do painel ou pressione a tecla atribuída. Depois leia a imagem com a câmera ou digite os seis números. | Execute “flipclockctl remote” no computador do painel ou prima a tecla atribuída. Depois leia a imagem com a câmara ou introduza os seis algarismos. | Voer ‘flipclockctl remote’ uit op de computer van het scherm of druk op de toegewezen toets. Scan dan het beeld met de camera, of voer de zes cijfers in. | Uruchom „flipclockctl remote” na komputerze tablicy lub naciśnij przypisany klawisz. Potem zeskanuj obraz aparatem albo wpisz sześć cyfr. | Panonun bilgisayarında “flipclockctl remote” komutunu çalıştırın veya bunun için atanmış tuşa basın. Sonra resmi kamerayla okutun ya da altı rakamı girin. | 表示機で「flipclockctl remote」を実行するか、割り当てたキーを押してください。表示された画像をカメラで読み取るか、6桁の数字を入力します。
    pair-code | Six digits | Sechs Ziffern | Six chiffres | Seis cifras | Sei cifre | Seis números | Seis algarismos | Zes cijfers | Sześć cyfr | Altı rakam | 6桁の数字
    pair | Connect | Verbinden | Connecter | Conectar | Collega | Conectar | Ligar | Verbinden | Połącz | Bağlan | 接続
    only-watch | Only watch | Nur zusehen | Seulement regarder | Solo mirar | Solo guardare | Só assistir | | Alleen kijken | Tylko oglądaj | Yalnızca izle | 観戦のみ
    pair-wrong | The digits are wrong, or have expired. Show them on the wall again. | Die Ziffern sind falsch oder abgelaufen. Bitte neu anzeigen lassen. | Chiffres incorrects ou expirés. Affichez-les de nouveau. | Las cifras son incorrectas o han caducado. Muéstralas de nuevo. | Cifre errate o scadute. Mostrale di nuovo. | Números errados ou vencidos. Mostre-os de novo. | Algarismos errados ou expirados. Mostre-os de novo. | De cijfers zijn onjuist of verlopen. Toon ze opnieuw. | Cyfry są błędne lub wygasły. Wyświetl je ponownie. | Rakamlar yanlış veya süresi doldu. Yeniden gösterin. | 数字が違うか、期限切れです。もう一度表示してください。
    pair-wait | Too many tries. Wait a minute. | Zu viele Versuche. Bitte eine Minute warten. | Trop d’essais. Attendez une minute. | Demasiados intentos. Espera un minuto. | Troppi tentativi. Attendi un minuto. | Tentativas demais. Espere um minuto. | Demasiadas tentativas. Espere um minuto. | Te veel pogingen. Wacht een minuut. | Za dużo prób. Odczekaj minutę. | Çok fazla deneme. Bir dakika bekleyin. | 回数が多すぎます。1分待ってください。
    pair-silent | The wall does not respond. Try again. | Die Anzeige antwortet nicht. Bitte erneut versuchen. | L’afficheur ne répond pas. Réessayez. | El marcador no responde. Inténtalo de nuevo. | Il tabellone non risponde. Riprova. | O painel não responde. Tente de novo. | O painel não responde. Tente de novo. | Het scherm antwoordt niet. Probeer opnieuw. | Tablica nie odpowiada. Spróbuj ponownie. | Pano yanıt vermiyor. Yeniden deneyin. | 表示機が応答しません。もう一度お試しください。
    pair-unsaved | The wall’s computer could not store this device: its log says why. Show new digits, and try again. | Der Rechner der Anzeige konnte dieses Gerät nicht speichern: Sein Log nennt den Grund. Neue Ziffern anzeigen und erneut versuchen. | L’ordinateur de l’afficheur n’a pas pu enregistrer cet appareil : son journal dit pourquoi. Affichez de nouveaux chiffres et réessayez. | El ordenador del marcador no pudo guardar este dispositivo: su registro dice por qué. Muestra otras cifras e inténtalo de nuevo. | Il computer del tabellone non ha potuto salvare questo dispositivo: il suo log dice perché. Mostra nuove cifre e riprova. | O computador do painel não conseguiu salvar este aparelho: o registro dele diz por quê. Mostre novos números e tente de novo. | O computador do painel não conseguiu guardar este aparelho: o registo dele diz porquê. Mostre novos algarismos e tente de novo. | De computer van het scherm kon dit apparaat niet opslaan: zijn log zegt waarom. Toon nieuwe cijfers en probeer opnieuw. | Komputer tablicy nie mógł zapisać tego urządzenia: przyczyna jest w jego dzienniku. Wyświetl nowe cyfry i spróbuj ponownie. | Panonun bilgisayarı bu aygıtı kaydedemedi: nedeni günlüğünde. Yeni rakamlar gösterin ve yeniden deneyin. | 表示機のコンピューターがこの端末を保存できませんでした。理由はログにあります。新しい数字を表示して、もう一度お試しください。
    no-connection | No connection for {seconds} s. | Seit {seconds} s keine Verbindung. | Pas de connexion depuis {seconds} s. | Sin conexión desde hace {seconds} s. | Nessuna connessione da {seconds} s. | Sem conexão há {seconds} s. | Sem ligação há {seconds} s. | Al {seconds} s geen verbinding. | Brak połączenia od {seconds} s. | {seconds} sn’dir bağlantı yok. | {seconds}秒間接続がありません。
    wall-silent | The wall has not responded for {seconds} s. | Die Anzeige antwortet seit {seconds} s nicht. | L’afficheur ne répond pas depuis {seconds} s. | El marcador no responde desde hace {seconds} s. | Il tabellone non risponde da {seconds} s. | O painel não responde há {seconds} s. | O painel não responde há {seconds} s. | Het scherm antwoordt al {seconds} s niet. | Tablica nie odpowiada od {seconds} s. | Pano {seconds} sn’dir yanıt vermiyor. | 表示機が{seconds}秒間応答していません。
    wall-showed | The wall showed {score}. | Die Anzeige zeigte {score}. | L’afficheur indiquait {score}. | El marcador mostraba {score}. | Il tabellone mostrava {score}. | O painel mostrava {score}. | | De stand was {score}. | Tablica pokazywała {score}. | Skor {score} idi. | 表示は {score} でした。
    not-known | Not known yet whether this was done: {taps}. Please wait. | Noch unklar, ob das ausgeführt wurde: {taps}. Bitte warten. | On ne sait pas encore si c’est fait : {taps}. Patientez. | Aún no se sabe si se hizo: {taps}. Espera. | Non si sa ancora se è stato fatto: {taps}. Attendi. | Ainda não se sabe se foi feito: {taps}. Aguarde. | | Nog niet bekend of dit is uitgevoerd: {taps}. Even wachten. | Jeszcze nie wiadomo, czy wykonano: {taps}. Poczekaj. | Yapılıp yapılmadığı henüz belli değil: {taps}. Lütfen bekleyin. | 実行されたかまだ不明です: {taps}。お待ちください。
    maybe-done | Perhaps done, look at the wall: {taps}. | Vielleicht ausgeführt, bitte auf die Anzeige sehen: {taps}. | Peut-être fait, regardez l’afficheur : {taps}. | Quizá se hizo, mira el marcador: {taps}. | Forse è stato fatto, guarda il tabellone: {taps}. | Talvez tenha sido feito, veja o painel: {taps}. | | Misschien uitgevoerd, kijk op het bord: {taps}. | Może wykonano, spójrz na tablicę: {taps}. | Yapılmış olabilir, tabelaya bakın: {taps}. | 実行された可能性があります。表示を見てください: {taps}。
    was-done | Done: {taps}. | Ausgeführt: {taps}. | C’est fait : {taps}. | Hecho: {taps}. | Fatto: {taps}. | Feito: {taps}. | | Uitgevoerd: {taps}. | Wykonano: {taps}. | Yapıldı: {taps}. | 実行されました: {taps}。
    done-unsaved | Done, but not saved yet: {taps}. | Ausgeführt, aber noch nicht gespeichert: {taps}. | C’est fait, mais pas encore enregistré : {taps}. | Hecho, pero aún sin guardar: {taps}. | Fatto, ma non ancora salvato: {taps}. | Feito, mas ainda não salvo: {taps}. | Feito, mas ainda não guardado: {taps}. | Uitgevoerd, maar nog niet opgeslagen: {taps}. | Wykonano, ale jeszcze nie zapisano: {taps}. | Yapıldı ama henüz kaydedilmedi: {taps}. | 実行されましたが、まだ保存されていません: {taps}。
    unsaved | The last changes are not saved: a restart would lose them. | Die letzten Änderungen sind nicht gespeichert: Ein Neustart würde sie verlieren. | Les derniers changements ne sont pas enregistrés : un redémarrage les perdrait. | Los últimos cambios no están guardados: se perderían al reiniciar. | Le ultime modifiche non sono salvate: un riavvio le perderebbe. | As últimas mudanças não estão salvas: reiniciar as perderia. | As últimas alterações não estão guardadas: perdem-se ao reiniciar. | De laatste wijzigingen zijn niet opgeslagen: bij een herstart gaan ze verloren. | Ostatnie zmiany nie są zapisane: po restarcie przepadną. | Son değişiklikler kaydedilmedi: yeniden başlatınca kaybolur. | 最後の変更は保存されていません。再起動すると失われます。
    too-late | Came too late, nothing was changed: {taps}. | Kam zu spät an, nichts wurde geändert: {taps}. | Arrivé trop tard, rien n’a changé : {taps}. | Llegó demasiado tarde, no se cambió nada: {taps}. | Arrivato troppo tardi, nulla è cambiato: {taps}. | Chegou tarde demais, nada mudou: {taps}. | Chegou demasiado tarde, nada mudou: {taps}. | Te laat aangekomen, er is niets gewijzigd: {taps}. | Dotarło za późno, nic nie zmieniono: {taps}. | Çok geç ulaştı, hiçbir şey değişmedi: {taps}. | 遅れて届いたため、変更されていません: {taps}。
    changed-meanwhile | The match has changed meanwhile. Look again. | Das Spiel hat sich inzwischen geändert. Bitte noch einmal hinsehen. | Le match a changé entre-temps. Regardez de nouveau. | El partido ha cambiado entretanto. Míralo de nuevo. | Nel frattempo la partita è cambiata. Controlla di nuovo. | A partida mudou nesse meio-tempo. Olhe de novo. | O jogo mudou entretanto. Veja de novo. | De wedstrijd is intussen gewijzigd. Kijk opnieuw. | Mecz zmienił się w międzyczasie. Sprawdź ponownie. | Maç bu arada değişti. Yeniden bakın. | その間に試合が変わりました。もう一度確認してください。
    no-others | The other walls do not answer. | Andere Anzeigen antworten nicht. | Les autres afficheurs ne répondent pas. | Los otros marcadores no responden. | Gli altri tabelloni non rispondono. | Os outros painéis não respondem. | | Andere borden antwoorden niet. | Inne tablice nie odpowiadają. | Diğer tabelalar yanıt vermiyor. | ほかの表示が応答しません。
    lead | Let this wall lead | Diese führen lassen | Diriger depuis celui-ci | Dirigir desde este | Guidare da questo | Dirigir deste | | Dit bord laten leiden | Niech prowadzi ta | Bu tabela yönetsin | この表示を主にする
    lead-anyway | Points may be missing here. Lead anyway | Hier fehlen vielleicht Punkte. Trotzdem führen | Des points manquent peut-être ici. Diriger quand même | Puede que aquí falten puntos. Dirigir de todos modos | Qui potrebbero mancare punti. Guidare comunque | Podem faltar pontos aqui. Dirigir mesmo assim | | Hier ontbreken misschien punten. Toch leiden | Tu może brakować punktów. Mimo to prowadź | Burada sayı eksik olabilir. Yine de yönet | ここでは得点が欠けているかもしれません。それでも主にする
    restore | Bring back the match | Spiel zurückholen | Reprendre le match | Recuperar el partido | Recupera la partita | Recuperar a partida | Recuperar o jogo | De wedstrijd terughalen | Przywróć mecz | Maçı geri getir | 試合を戻す
    too-fast | Too fast: the last taps were ignored. | Zu schnell: Die letzten Eingaben wurden ignoriert. | Trop rapide : les derniers appuis sont ignorés. | Demasiado rápido: se ignoraron los últimos toques. | Troppo veloce: gli ultimi tocchi sono ignorati. | Rápido demais: os últimos toques foram ignorados. | Demasiado rápido: os últimos toques foram ignorados. | Te snel: de laatste tikken zijn genegeerd. | Za szybko: ostatnie dotknięcia pominięto. | Çok hızlı: son dokunuşlar yok sayıldı. | 速すぎます。最後の操作は無視されました。
    refused | Refused: {reason} | Abgelehnt: {reason} | Refusé : {reason} | Rechazado: {reason} | Rifiutato: {reason} | Recusado: {reason} | | Geweigerd: {reason} | Odrzucono: {reason} | Reddedildi: {reason} | 拒否されました: {reason}
    impossible | Three darts cannot do this: {points}. | Mit drei Darts nicht möglich: {points}. | Impossible avec trois fléchettes : {points}. | Imposible con tres dardos: {points}. | Impossibile con tre freccette: {points}. | Impossível com três dardos: {points}. | | Niet mogelijk met drie darts: {points}. | Niemożliwe trzema lotkami: {points}. | Üç okla yapılamaz: {points}. | 3本のダーツでは不可能です: {points}。
    too-long | At most {n} characters. | Höchstens {n} Zeichen. | {n} caractères au maximum. | Como máximo {n} caracteres. | Al massimo {n} caratteri. | No máximo {n} caracteres. | | Hoogstens {n} tekens. | Najwyżej {n} znaków. | En fazla {n} karakter. | 最大{n}文字です。
    """
  }
}
