// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../support/Vm.sol";
import {Handler} from "./Handler.sol";

/// @notice Acts that must fail, and change nothing.
contract Trespasser is Handler {
    function payTheWrongPrice(uint256 token, uint256 caller, uint256 kind, uint256 amount) external onTime {
        (uint256 id, address who) = (_token(token), _who(caller));
        Offer memory offer = offers[id];
        uint256[3] memory prices = [offer.price, offer.rentPerDay, offer.forkPrice];
        amount %= 2 ** 81;
        if (amount == prices[kind % 3]) ++amount;
        bytes[3] memory calls = [
            abi.encodeCall(marketplace.buy, (id, who)),
            abi.encodeCall(marketplace.rent, (id, who, 1)),
            abi.encodeCall(marketplace.fork, (id, who, 10_000))
        ];
        _refused(who, address(marketplace), amount, calls[kind % 3]);
    }

    /// @dev A listing that ended with an ownership stays ended, whoever owns the token now.
    function takeAPastOffer(uint256 token, uint256 caller, uint256 kind) external onTime {
        (uint256 id, address who) = (_token(token), _who(caller));
        Offer memory offer = past[id];
        Offer memory live = offers[id];
        if (kind % 3 == 0 && offer.price != live.price) {
            _refused(who, address(marketplace), offer.price, abi.encodeCall(marketplace.buy, (id, who)));
        }
        if (kind % 3 == 1 && offer.rentPerDay != live.rentPerDay) {
            _refused(who, address(marketplace), offer.rentPerDay, abi.encodeCall(marketplace.rent, (id, who, 1)));
        }
        if (kind % 3 == 2 && offer.forkPrice != live.forkPrice) {
            _refused(who, address(marketplace), offer.forkPrice, abi.encodeCall(marketplace.fork, (id, who, 10_000)));
        }
    }

    function rentTooLong(uint256 token, uint256 caller, uint256 more) external onTime {
        (uint256 id, address who) = (_token(token), _who(caller));
        if (offers[id].rentPerDay == 0) _offer(id, Offer(address(0), 0, 1, 1, 1));
        uint256 running = expiries[id][who] > clock ? expiries[id][who] - clock : 0;
        uint256 numberOfDays = (365 days - running) / 1 days + 1 + more % 10;
        uint256 price = offers[id].rentPerDay * numberOfDays;
        _refused(who, address(marketplace), price, abi.encodeCall(marketplace.rent, (id, who, numberOfDays)));
    }

    function takeWhatIsNotTheirs(uint256 token, uint256 caller, uint256 kind) external onTime {
        (uint256 id, address who) = (_token(token), _who(caller));
        address owner = facts[id].owner;
        if (who == owner) who = address(this);
        bytes[4] memory calls = [
            abi.encodeCall(registry.transferFrom, (owner, who, id)),
            abi.encodeCall(registry.approve, (who, id)),
            abi.encodeCall(registry.transferOnSale, (id, who)),
            abi.encodeCall(registry.fork, (id, who, who, 0))
        ];
        _refused(who, address(registry), 0, calls[kind % 4]);
        _refused(who, address(marketplace), 0, abi.encodeCall(marketplace.list, (id, 1, 1, 1, 1)));
    }

    function withdrawNothing(uint256 caller) external onTime {
        address who = _who(caller);
        if (credit[who] > 0) who = bob;
        _refused(who, address(marketplace), 0, abi.encodeCall(marketplace.withdraw, (who)));
    }

    function withdrawToOneWhoRefuses(bool hogs) external onTime {
        _refused(hogs ? hogging : refusing, address(marketplace), 0, abi.encodeCall(marketplace.withdraw, (refusing)));
    }

    function giveToThePair(uint256 token, bool toRegistry) external onTime {
        uint256 id = _token(token);
        address to = toRegistry ? address(registry) : address(marketplace);
        _refused(
            facts[id].owner, address(registry), 0, abi.encodeCall(registry.transferFrom, (facts[id].owner, to, id))
        );
        _refused(alice, address(registry), 0, abi.encodeCall(registry.mint, (to, HASH, DIGEST, 0)));
    }

    function sendPlainMoney(uint80 amount, bool toRegistry) external onTime {
        _refused(alice, toRegistry ? address(registry) : address(marketplace), amount, "");
    }

    function _refused(address caller, address target, uint256 value, bytes memory data) private {
        if (caller != address(this)) _endow(caller, value);
        vm.startPrank(caller);
        (bool done,) = target.call{value: value}(data);
        vm.assertTrue(!done, "refused");
        vm.stopPrank();
    }
}
